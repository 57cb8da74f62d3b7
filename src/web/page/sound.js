// @ts-check
// Sounds made of a few tones that decay. They are silent without WebAudio and before the first click or key press,
// because browsers do not allow sound earlier.

/** @import { Game } from "../types" */

/** @typedef {{ at?: number, hz: number, to?: number, ms: number, volume?: number }} Tone */
/** The tones of each sound: start in ms, first and last frequency, duration, volume. @type {Record<string, Tone[]>} */
export const SOUNDS = {
  move: [
    { hz: 210, to: 90, ms: 80 },
    { hz: 1250, to: 700, ms: 18, volume: 0.3 },
  ],
  capture: [
    { hz: 160, to: 60, ms: 110 },
    { hz: 1500, to: 500, ms: 25, volume: 0.5 },
    { at: 55, hz: 260, to: 110, ms: 70, volume: 0.7 },
  ],
  check: [
    { hz: 220, to: 90, ms: 80 },
    { at: 60, hz: 740, ms: 170, volume: 0.4 },
  ],
  end: [
    { hz: 392, ms: 260, volume: 0.5 },
    { at: 150, hz: 494, ms: 260, volume: 0.5 },
    { at: 300, hz: 587, ms: 520, volume: 0.5 },
  ],
  low: [
    { hz: 880, ms: 110, volume: 0.4 },
    { at: 160, hz: 880, ms: 110, volume: 0.4 },
  ],
};
/** By the preference. @type {Record<string, number>} */
const LOUDNESS = { quiet: 0.1, normal: 0.3, loud: 0.8 };
const SILENCE = 0.0005;

/** @type {AudioContext | null} */
let context = null;

/** Returns the audio context, if the browser allows sound. */
function audio() {
  const Context = window.AudioContext ?? window.webkitAudioContext;
  if (!Context || navigator.userActivation?.hasBeenActive === false) return null;
  context ??= new Context();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/** @param {AudioContext} audio @param {Tone} tone */
function tone(audio, { at = 0, hz, to = hz, ms, volume = 1 }) {
  const begin = audio.currentTime + at / 1000;
  const end = begin + ms / 1000;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(hz, begin);
  oscillator.frequency.exponentialRampToValueAtTime(to, end);
  gain.gain.setValueAtTime(LOUDNESS[document.documentElement.dataset.volume ?? ""] * volume, begin);
  gain.gain.exponentialRampToValueAtTime(SILENCE, end);
  oscillator.connect(gain);
  gain.connect(audio.destination);
  oscillator.start(begin);
  oscillator.stop(end);
}

/** Plays one of SOUNDS, unless sound is off. @param {string} name */
export function play(name) {
  if (document.documentElement.dataset.sound === "off") return;
  try {
    const audible = audio();
    if (audible) SOUNDS[name].forEach((one) => tone(audible, one));
  } catch {
    // A machine without a loudspeaker, or too many pages that play.
  }
}

/**
 * Returns the sound of a new state: of its newest turn or of the end; null after taking back.
 * @param {Game} before
 * @param {Game} game
 */
export function soundOf(before, game) {
  if (game.ending && !before.ending) return "end";
  const turn = game.turns.length > before.turns.length ? game.turns.at(-1) : null;
  if (!turn) return null;
  if (game.check) return "check";
  return turn.san.includes("x") ? "capture" : "move";
}
