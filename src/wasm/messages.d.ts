// The messages between the tabs of the site and the backend, and the effects that the app asks the backend to carry
// out (Effect in src/play/app/response.rs).

import type { GameHandlers } from "../web/types";

export interface Answer {
  status: number;
  type: string;
  text: string;
}

interface Event {
  name: Exclude<keyof GameHandlers, "open" | "lost" | "refused" | "crowded">;
  data: string;
}

export interface ToBackend {
  tab: string;
  id: number;
  method?: string;
  path?: string;
  body?: string;
  /** Ends a stream: the number of the message that started the stream. */
  leave?: number;
}

export interface FromBackend {
  tab?: string;
  id?: number;
  answer?: Answer;
  event?: Event & { isFirst?: boolean };
  progress?: { part: number };
  ready?: boolean;
}

export interface Effects {
  respond: {
    ticket: number;
    response: { status: number; content_type: string; body: string };
  };
  stream: {
    ticket: number;
    game: string;
    listener: number | null;
    first: Event;
  };
  publish: { game: string; except: number | null; event: Event };
  save: { game: string; text: string };
  remove: { game: string };
  load: { game: string };
  engine: {
    search?: { engine: number; search: number };
    stop?: { engine: number };
  };
}
export type Effect = Partial<Effects>;
