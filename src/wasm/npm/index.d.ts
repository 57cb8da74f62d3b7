/** A running engine. */
export interface Engine {
  /** Sends a line of UCI. */
  send(line: string): void;
  /** Ends the input. The engine finishes its work, but stops a search that has no limit. */
  end(): void;
  /** Resolves after `quit` or `end`; rejects if the engine cannot be loaded or fails. */
  readonly ended: Promise<void>;
}

/** Starts an engine. `line` is called with each line of the engine's output. */
export function start(options: { line: (text: string) => void }): Promise<Engine>;
