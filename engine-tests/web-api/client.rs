//! Helper functions of the tests: starting the server as a process, requests, and streams of events.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::PATIENCE;
use crate::harness::command::{aleator, folder};

/// A server process. The process is killed when this value is dropped.
pub struct Server {
    pub child: Child,
    pub port: u16,
}

/// The response to a request.
pub struct Answer {
    pub status: u16,
    pub headers: String,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Returns the error message of the response, which must be an error.
    pub fn error(&self) -> String {
        assert!(self.status >= 400, "{}", self.text);
        self.json()["error"].as_str().expect("errors are explained").to_owned()
    }
}

impl Server {
    /// Starts a server in a new folder with the given name.
    pub fn start(name: &str) -> Server {
        Server::start_in(&folder(&format!("web/{name}")))
    }

    /// Starts a server that saves the games in a subfolder of the given folder.
    pub fn start_in(folder: &Path) -> Server {
        let mut child = aleator("serve --port 0 --folder games", folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port =
            line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
        let Some(port) = port else { panic!("expected the address of the server, found '{line}'") };
        Server { child, port: port.parse().unwrap() }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a raw request and reads the response.
    pub fn raw(&self, head: &str, body: &str) -> Answer {
        let mut stream = self.connect();
        // Writing fails if the server rejects the request before it has read all of it.
        let _ = stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes());
        read_answer(&mut BufReader::new(stream))
    }

    pub fn head(&self, method: &str, path: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: \
             {length}",
            self.port
        )
    }

    pub fn request(&self, method: &str, path: &str, body: &str) -> Answer {
        self.raw(&self.head(method, path, body.len()), body)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "")
    }

    pub fn post(&self, path: &str, body: Value) -> Answer {
        self.request("POST", path, &body.to_string())
    }

    /// Sends a POST request, which must succeed. Returns the JSON of the response.
    pub fn ask(&self, path: &str, body: Value) -> Value {
        let answer = self.post(path, body.clone());
        assert!((200..300).contains(&answer.status), "{path} {body}: {}", answer.text);
        answer.json()
    }

    /// Starts a game. Returns its path and state.
    pub fn game(&self, order: Value) -> (String, Value) {
        let state = self.ask("/api/games", order);
        (format!("/api/games/{}", state["id"].as_str().unwrap()), state)
    }

    /// Plays the given turns. Returns the state of the game after the last turn.
    pub fn play(&self, game: &str, turns: &str) -> Value {
        let mut state = Value::Null;
        for text in turns.split(' ') {
            state = self.ask(&format!("{game}/turn"), json!({ "text": text }));
        }
        state
    }

    /// Starts listening to the events of a game.
    pub fn listen(&self, game: &str) -> Events {
        let mut stream = self.connect();
        let head = self.head("GET", &format!("{game}/events"), 0);
        stream.write_all(format!("{head}\r\n\r\n").as_bytes()).unwrap();
        let mut input = BufReader::new(stream);
        let (status, headers) = read_head(&mut input);
        assert_eq!(status, 200);
        assert!(headers.contains("content-type: text/event-stream"), "{headers}");
        Events { input, text: String::new() }
    }

    /// Stops the server as Ctrl-C does. Returns the text that the server wrote to stderr.
    #[cfg(unix)]
    pub fn interrupt(mut self) -> String {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;

        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGINT).unwrap();
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(self.child.wait().unwrap().success(), "{errors}");
        errors
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads the status and the headers of a response, in lower case.
fn read_head(input: &mut impl BufRead) -> (u16, String) {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(input.read_line(&mut head).unwrap(), 0, "the response ends with '{head}'");
    }
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("{head}")), head.to_lowercase())
}

pub fn read_answer(input: &mut impl BufRead) -> Answer {
    let (status, headers) = read_head(input);
    let mut text = String::new();
    // If the server rejects a request early, the connection may be reset.
    let _ = input.read_to_string(&mut text);
    Answer { status, headers, text }
}

/// The stream of a game's events.
pub struct Events {
    input: BufReader<TcpStream>,
    /// The text read so far, without the chunk headers.
    text: String,
}

impl Events {
    /// Returns the name and the data of the next event.
    pub fn next(&mut self) -> (String, Value) {
        let began = Instant::now();
        loop {
            assert!(began.elapsed() < PATIENCE, "no event came");
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name| event.lines().find_map(|line| line.strip_prefix(name));
                let found = field("event: ").zip(field("data: "));
                let found = found.map(|(name, data)| {
                    (name.to_owned(), serde_json::from_str(data).expect("JSON"))
                });
                self.text = rest.to_owned();
                match found {
                    Some(event) => return event,
                    // Skip a keep-alive message.
                    None => continue,
                }
            }
            self.read_part();
        }
    }

    fn read_part(&mut self) {
        let mut size = String::new();
        assert_ne!(self.input.read_line(&mut size).unwrap(), 0, "the stream has ended");
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let mut part = vec![0; size + 2];
        self.input.read_exact(&mut part).unwrap();
        self.text += std::str::from_utf8(&part[..size]).unwrap();
    }

    /// Reads events until an event with the given name satisfies `fits`. Returns the data of this event.
    pub fn until(&mut self, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let (found, data) = self.next();
            if found == name && fits(&data) {
                return data;
            }
            assert!(began.elapsed() < PATIENCE, "no matching {name}; the last one was {data}");
        }
    }
}

/// Waits until `is_so` returns true. Calls `is_so` at the interval `every`.
pub fn wait_for(what: &str, every: Duration, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(every);
    }
}
