/** A running engine. */
export interface Engine {
  /** Sends a line of UCI. */
  send(line: string): void;
  /** Ends the input: the engine finishes what it can. */
  end(): void;
  /** Resolves after `quit` or `end`; rejects if the engine cannot be loaded or fails. */
  readonly ended: Promise<void>;
}

/** Starts an engine; `line` gets its output, line by line. */
export function start(options: { line: (text: string) => void }): Promise<Engine>;
