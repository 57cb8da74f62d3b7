// The types of the page: what the app (src/play/app) sends as JSON, the state of a game's screen, and the interfaces
// between modules. Nothing of this reaches the browser.

// The app's data.

export type Color = "white" | "black";
/** Pieces such as "wN" by square. */
export type Squares = Record<string, string>;
export type BySide<T> = Record<Color, T>;

/** A score for White; a mate in moves. */
export interface Score {
  cp?: number;
  mate?: number | null;
}

export interface Variant {
  id: string;
  name: string;
  sentence: string;
  board: number;
  setup: boolean;
  dice: "jepps" | "die" | "none";
  /** The number of starting positions. */
  starts: number | null;
  orders: ("mediator" | "free")[];
}

export interface LegalTurn {
  text: string;
  san: string;
  from: string | null;
  to: string;
  role: string | null;
  promotion: string | null;
  castling: boolean;
  relocation: boolean;
  /** Where else a castling king may be dropped. */
  also: string[];
  /** The pieces of a placement. */
  drops: { role: string; to: string }[];
}

/** A position of a game or a variation. */
export interface Position {
  squares: Squares;
  check: string | null;
  last: string[] | null;
  turn: Color;
  legal: LegalTurn[];
  fen: string | null;
}

/** A position with the moves that lead to it from turn `ply`. */
export interface PastPosition extends Position {
  ply: number;
  uci: string[];
  san: string[];
}

export interface Shape {
  from: string;
  to: string;
  brush: string;
}

export interface VariationTurn {
  uci: string;
  san: string;
  mark?: string | null;
  comment?: string;
  shapes?: Shape[];
  /** Whether the engine added the turn, as part of a better line in a review. */
  by_engine?: boolean;
  variations?: VariationTurn[][];
}

/** A turn of the game. */
export interface Turn extends VariationTurn {
  color: Color;
  placement: boolean;
  relocation: boolean;
  score?: Score;
  /** The better move that a review found, in SAN. */
  best?: string | null;
  spent_ms?: number;
  clock_ms?: number;
}

export interface DiceRoll {
  purpose: "root" | "placement" | "mediation";
  color: Color;
  shows: number[];
  sentence: string;
  short: string;
  /** The number of turns before it. */
  turns: number;
  /** Whether it repeats the roll before it. */
  reroll: boolean;
  /** Whether it was rerolled. */
  again: boolean;
}

export interface DiceState {
  needed: boolean;
  count: number;
  own: boolean;
  /** Whether the mediator rolls. */
  mediator: boolean;
  shows: number[];
  offered: string[];
  again: boolean;
  sentence: string;
}

export interface Player {
  kind: "human" | "engine";
  name: string;
  level?: number;
  rating?: number | null;
}

export interface Clocks {
  white_ms: number;
  black_ms: number;
  increment_ms: number;
  running: Color | null;
}

export interface Ending {
  result: string;
  reason: string;
  sentence: string;
}

/** Everything about a game. */
export interface Game extends Position {
  id: string;
  /** Grows with each change. */
  version: number;
  variant: string;
  board: number;
  phase: "setup" | "board" | "over";
  start_fen: string | null;
  start: string | null;
  number: number | null;
  awaits: { kind: "nobody" | "human" | "engine"; color: Color | null };
  hands: BySide<string[]>;
  /** The square to fill next, where there is an order. */
  next: string | null;
  dice: DiceState | null;
  mediator: { shows: number[]; verdict: "mirror" | "reverse"; sentence: string } | null;
  turns: Turn[];
  /** Variations after the last turn. */
  tail: VariationTurn[][];
  accuracy: BySide<number | null> | null;
  rolls: DiceRoll[];
  can_take_back: boolean;
  foreword: string | null;
  tags: [string, string][];
  /** Whether the game has no players: it was read from a file, or is a position to analyse. */
  analysis: boolean;
  players: BySide<Player>;
  clocks: Clocks | null;
  habits: { pauses: boolean; resigns: boolean };
  offer: Color | null;
  ending: Ending | null;
  thinking: boolean;
  /** Whether a watched game waits, and the pause before each of its turns. */
  held: boolean;
  pace_ms: number;
  reviewing: boolean;
  /** Why the game could not be saved. */
  unsaved: string | null;
}

/** An entry in the list of games. */
export interface Summary {
  id: string;
  variant: string;
  white: string;
  black: string;
  event: string | null;
  date: string | null;
  collection: string | null;
  turns: number;
  result: string | null;
  /** In seconds since 1970. */
  changed: number;
  unsaved: boolean;
}

export interface GameListing {
  games: Summary[];
  unreadable: { file: string; error: string }[];
}

export interface Problem {
  error: string;
}

export interface Imported {
  games: Summary[];
  skipped: Problem[];
  warnings: Problem[];
}

/** A line of an analysis. */
export interface Line {
  analysis: number;
  multipv: number;
  depth: number;
  nps: number;
  score: Score;
  /** Win, draw and loss for White, in thousandths. */
  wdl: [number, number, number];
  san: string[];
  uci: string[];
}

export interface Hint {
  uci: string;
  san: string;
  score: Score;
}

export interface Assessment {
  sentence: string;
  placements: { text: string; score: Score }[];
}

export interface Progress {
  done: number;
  total: number;
}

export interface TurnScore {
  ply: number;
  score: Score;
  best: string | null;
  mark: string | null;
}

/** A start that was asked for. */
export interface Preview {
  fen: string | null;
  start: string | null;
  number: number | null;
}

/** A legal position in the board editor. */
export interface EditedPosition extends Position {
  kind: "position";
  variant: string;
  board: number;
  fen: string;
  setup: boolean;
  hands: BySide<string[]>;
  /** Squares of pieces that have a right. */
  rights: string[];
  /** Squares of pieces that could have one. */
  offers: string[];
  /** Squares on which a pawn could capture en passant. */
  passants: string[];
  problem: string | null;
}

/** What the app says about a draft: a position, games in PGN, or what is wrong. */
export type Described = EditedPosition | (Absent & ({ kind: "games" } | { kind: "position"; problem: string }));
interface Absent {
  variant?: string | null;
  turn?: undefined;
  fen?: undefined;
  squares?: undefined;
  problem?: string;
}

export interface Draft {
  variant?: string | null;
  text?: string;
  squares?: Squares;
  turn?: Color;
  rights?: string[];
  en_passant?: string;
  /** The last two fields of a FEN. */
  clocks?: string;
  setup?: boolean;
}

/** The position of an attempt at a puzzle. */
export interface PuzzleState extends PastPosition {
  puzzle: {
    name: string;
    themes: string[];
    moves: number;
    standing: "open" | "wrong" | "solved";
    next: { uci: string; san: string } | null;
    /** With move numbers. */
    solution: string;
    /** What the engine found about a wrong move or a solution: a sentence, and the line that follows. */
    explanation: { sentence: string; line: string } | null;
  };
}

/** The settings of a new game. */
export interface NewGameWishes {
  variant: string;
  white?: string;
  black?: string;
  level?: number;
  pauses?: boolean;
  resigns?: boolean;
  clock?: { base_ms: number; increment_ms: number };
  /** The person's. */
  name?: string;
  /** Of two people. */
  names?: string[];
  /** Whether to open a position for analysis, without players. */
  analysis?: boolean;
  start?: string;
  fen?: string | null;
  dice?: string;
  order?: string;
}

// The app's interface: requests, which fail with a `Refusal`.

export interface AppApi {
  variants(): Promise<Variant[]>;
  games(): Promise<GameListing>;
  preview(wishes: NewGameWishes): Promise<Preview>;
  position(draft: Draft): Promise<Described>;
  create(wishes: NewGameWishes): Promise<Game>;
  /** Creates the game of a link: pairs of names and values. */
  createByLink(pairs: string[][]): Promise<Game>;
  /** Returns the state of an attempt at a puzzle, which is a line of EPD. */
  puzzle(attempt: { epd: string; moves: string[]; explain?: boolean }): Promise<PuzzleState>;
  /** Returns the puzzles of a variant, one line of EPD each. */
  puzzles(variant: string): Promise<string[]>;
  readPgn(text: string, name: string | null): Promise<Imported>;
}

/** The interface of one game. */
export interface GameApi {
  get(): Promise<Game>;
  at(ply: number, moves: string[]): Promise<PastPosition>;
  remove(): Promise<unknown>;
  restore(): Promise<unknown>;
  turn(text: string): Promise<Game>;
  /** Replaces the comment on the move that leads to a place. */
  comment(comment: Place & { text: string }): Promise<{ state: Game }>;
  /** Controls a game of the engine against itself. */
  watch(wishes: { choice?: "hold" | "step" | "go" | "end"; pace_ms?: number }): Promise<Game>;
  undo(): Promise<Game>;
  resign(color: Color): Promise<Game>;
  draw(color: Color): Promise<{ answer: string; state: Game }>;
  /** Returns another game. */
  rematch(wishes: { swap: boolean; start: string }): Promise<Game>;
  dice(wishes: { values?: number[]; again?: boolean }): Promise<Game>;
  mediator(choice: "keep" | "again"): Promise<Game>;
  addVariation(place: Place): Promise<{ answer: PastPosition; state: Game }>;
  promoteVariation(place: Place): Promise<{ state: Game }>;
  removeVariation(place: Place): Promise<{ state: Game }>;
  hint(): Promise<Hint>;
  assessment(): Promise<Assessment>;
  analyse(wishes: Place & { lines: number; threat: boolean }): Promise<{ analysis: number }>;
  stopAnalysis(): Promise<unknown>;
  review(): Promise<unknown>;
  stopReview(): Promise<unknown>;
  /** Returns a link to the game at a place: pairs of names and values. */
  link(place: Place): Promise<string[][]>;
  /** Returns the PGN, with or without the variations that the engine added. */
  pgn(withEngineLines?: boolean): Promise<string>;
  record(): Promise<string>;
  listen(handlers: GameHandlers): void;
  isListening(): boolean;
  /** Stops listening. */
  close(): void;
}

// The transport.

export interface Reply {
  status: number;
  type: string;
  text: string;
}

/** The handlers of a game's events. */
export interface GameHandlers {
  state(game: Game): void;
  deleted(): void;
  line(line: Line): void;
  progress(progress: Progress): void;
  score(score: TurnScore): void;
  notice(problem: Problem): void;
  /** The connection opened. */
  open(): void;
  /** The connection failed. */
  lost(): void;
  /** There is no such game. */
  refused(): void;
  /** Too many tabs listen: only states arrive. */
  crowded(): void;
}

// The page's state.

/** A number of turns of the game, then moves of a variation in UCI notation. */
export interface Place {
  ply: number;
  moves: string[];
}

export interface TreeNode extends VariationTurn {
  children: TreeNode[];
}
/** Variations by the ply at which they branch off. */
export type Tree = Map<number, TreeNode[]>;

/** What is picked up: the piece of a square, or one of a hand. */
export type Source = { square: string; role?: undefined } | { role: string; square?: undefined };

export interface Ends {
  from: string;
  to: string;
}

/** What the board shows of a game. */
export interface BoardView {
  size: number;
  flipped: boolean;
  squares: Squares;
  check: string | null;
  last: string[];
  premove: string[];
  /** Squares where a piece may be placed. */
  open: string[];
  /** Pieces of a suggested placement. */
  ghosts: Squares;
}

/** The state of a game's screen. */
export interface ScreenState {
  game: Game;
  /** When the app sent the clocks, in milliseconds of the page's time. */
  clocksAt: number;
  tree: Tree;
  /** The shown place and its position. */
  place: Place;
  shown: Position;
  /** A move that is drawn, but that the app has not yet accepted. */
  pending: { squares: Squares; last: string[] } | null;
  /** Squares where the person has put pieces, which need no animation. */
  settled: string[];
  flipped: boolean;
  picked: Source | null;
  premove: Ends | null;
  ghosts: Squares;
  hint: Ends | null;
  /** A sentence in the banner. */
  note: string | null;

  isAnalysing: boolean;
  /** Whether the analysis shows the threats of the side that is not to move. */
  isThreat: boolean;
  /** The number of lines to show. */
  lineCount: number;
  lines: Line[];
  analysisProblem: string | null;
  /** Why the analysis rests. */
  rest: string | null;
  /** The progress of a running review. */
  review: Progress | null;

  /** The roll that is being shown, and whether its dice still roll. */
  roll: { roll: DiceRoll; isRolling: boolean } | null;
  /** The solver's assessment of the placements in a version of the game, once it was asked for. */
  assessment: { version: number; result?: Assessment; problem?: string } | null;
}

// Interfaces between modules.

/** Decides what a person may do on a board. */
export interface BoardOwner {
  /** Whether a person may pick up the piece of this square. */
  canPick(square: string): boolean;
  /** Returns the squares where it may go. */
  targets(source: Source): string[];
  /** Whether to pass on a drop on a square that is not a target. */
  anywhere(source: Source, square: string): boolean;
  drop(source: Source, square: string, isDragged: boolean): void;
  dropOutside?(source: Source): void;
  /** Is called when something is picked up or put back. */
  onPick(source: Source | null): void;
  /** Is called at each press on the board. */
  onPress(): void;
  /** Returns an addition to the label for screen readers, or "". */
  labelOf(square: string, piece: string | null): string;
  /** Whether a king would relocate to this target. */
  relocates(source: Source, square: string): boolean;
}

/** Opens a game, and analyses it if wanted. */
export type OpenGame = (game: Game, isAnalysed?: boolean) => void;

export interface Preferences {
  choices: Record<string, string[]>;
  /** Stores a value and dispatches the event. */
  set(name: string, value: string): void;
}

declare global {
  interface Window {
    preferences: Preferences;
    webkitAudioContext?: typeof AudioContext;
  }
  interface WindowEventMap {
    preference: CustomEvent<string>;
  }
}

// Making elements.

type TagName<T extends string> = T extends `${infer Name}.${string}` ? Name : T;
/** The element of a tag with classes, such as "button.primary". */
export type ElementOf<T extends string> =
  TagName<T> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagName<T>] : HTMLElement;
type Child = Node | string | null | undefined | false;
export type Children = (Child | Child[])[];
type Listeners = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown };
export type Properties = Listeners & { [attribute: string]: unknown };
export type Attributes = Record<string, string | number>;
