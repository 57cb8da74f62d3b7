#!/usr/bin/env node
// Runs the engine as UCI on standard input and output.

import { createInterface } from "node:readline";
import { start } from "../index.js";

const engine = await start({ line: (text) => process.stdout.write(`${text}\n`) });
createInterface({ input: process.stdin }).on("line", engine.send).on("close", engine.end);
await engine.ended;
// After `quit` the standard input may still be open, which would keep the process running.
process.stdin.destroy();
