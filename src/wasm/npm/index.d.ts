/** An engine that runs. */
export interface Engine {
  /** Takes a line of UCI. */
  send(line: string): void;
  /** Says that no more lines will come: what can be finished is finished. */
  end(): void;
  /** Resolves after `quit` or `end`; rejects if the engine cannot be loaded or fails. */
  readonly ended: Promise<void>;
}

/** Starts an engine; `line` gets what it says, line by line. */
export function start(options: { line: (text: string) => void }): Promise<Engine>;
