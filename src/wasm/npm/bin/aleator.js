#!/usr/bin/env node
// UCI on the standard input and output.

import { createInterface } from "node:readline";
import { start } from "../index.js";

const engine = await start({ line: (text) => process.stdout.write(`${text}\n`) });
createInterface({ input: process.stdin }).on("line", engine.send).on("close", engine.end);
await engine.ended;
// Whoever says `quit` may leave the input open.
process.stdin.destroy();
