//! Splits shell commands into words and quotes words, in the syntax of the system's shell.

/// Splits a command into words; returns `None` if a quotation mark is not closed.
pub(super) fn split(command: &str) -> Option<Vec<String>> {
    if cfg!(windows) { windows::split(command) } else { shlex::split(command) }
}

/// Joins words to a shell command, quoting them where necessary.
pub(super) fn join(words: &[String]) -> String {
    if cfg!(windows) {
        return windows::join(words);
    }
    // Only the NUL character cannot be quoted, and command lines cannot contain NUL.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

/// The syntax of cmd.exe and PowerShell: backslashes and apostrophes have no special meaning.
mod windows {
    /// Splits a command at spaces outside quotation marks. File names on Windows cannot contain quotation
    /// marks, so no escape character is needed.
    pub fn split(command: &str) -> Option<Vec<String>> {
        let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
        for symbol in command.chars() {
            match symbol {
                '"' => {
                    is_quoted = !is_quoted;
                    word.get_or_insert_default();
                }
                _ if symbol.is_whitespace() && !is_quoted => words.extend(word.take()),
                _ => word.get_or_insert_default().push(symbol),
            }
        }
        words.extend(word);
        (!is_quoted).then_some(words)
    }

    pub fn join(words: &[String]) -> String {
        words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
    }

    /// Quotes a word if necessary. Windows programs expect doubled backslashes only before a quotation mark.
    fn quote(word: &str) -> String {
        let is_plain = |symbol: char| symbol.is_alphanumeric() || r"-_./\:=+".contains(symbol);
        if !word.is_empty() && word.chars().all(is_plain) {
            return word.to_owned();
        }
        let (mut quoted, mut backslashes) = ('"'.to_string(), 0);
        for symbol in word.chars() {
            if symbol == '"' {
                quoted.extend(std::iter::repeat_n('\\', backslashes + 1));
            }
            quoted.push(symbol);
            backslashes = if symbol == '\\' { backslashes + 1 } else { 0 };
        }
        quoted.extend(std::iter::repeat_n('\\', backslashes));
        quoted + "\""
    }
}

#[cfg(test)]
mod tests {
    use super::windows;

    #[test]
    fn on_windows_backslashes_are_literal() {
        let split = |command| windows::split(command).unwrap();
        assert_eq!(
            split(r"C:\dir\engine.exe --threads 2"),
            [r"C:\dir\engine.exe", "--threads", "2"]
        );
        assert_eq!(
            split(r#" "C:\Program Files\O'Neil\e.exe"  "" bench"#),
            [r"C:\Program Files\O'Neil\e.exe", "", "bench"]
        );
        assert_eq!(split(r"\\server\share\e.exe"), [r"\\server\share\e.exe"]);
        assert_eq!(windows::split(r#""C:\dir\e.exe"#), None);
        assert!(split("  ").is_empty());
    }

    #[test]
    fn on_windows_words_are_quoted_as_programs_parse_them() {
        for (word, quoted) in [
            (r"new=C:\dir\e.exe", r"new=C:\dir\e.exe"),
            (r"C:\my games\", r#""C:\my games\\""#),
            (r#"new="C:\my games\e.exe""#, r#""new=\"C:\my games\e.exe\"""#),
            (r#"a\"b"#, r#""a\\\"b""#),
            ("a&b", r#""a&b""#),
            ("", r#""""#),
        ] {
            assert_eq!(windows::join(&[word.to_owned()]), quoted);
        }
        let words = ["match", "--engine", r"new=C:\my games\e.exe"].map(str::to_owned);
        assert_eq!(windows::join(&words), r#"match --engine "new=C:\my games\e.exe""#);
    }
}
