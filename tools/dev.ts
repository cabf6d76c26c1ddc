/** `npm run dev`: the server, started anew on each change, and the console with reload at http://127.0.0.1:5173/ui/; Ctrl-C ends both. */
import { spawn } from 'node:child_process';

const QUIET = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning'];
const PROGRAMS = [
  ['--watch', '--watch-preserve-output', 'main.ts'],
  ['node_modules/vite/bin/vite.js', '--config', 'console/vite.config.ts', '--clearScreen', 'false'],
];
const { PORT = '8080', FAULTLINE_URL = `http://127.0.0.1:${PORT}` } = process.env;

const children = PROGRAMS.map((program) =>
  spawn(process.execPath, [...QUIET, ...program], { stdio: 'inherit', env: { ...process.env, FAULTLINE_URL } }),
);
const stop = (code: number): void => {
  process.exitCode ??= code;
  for (const child of children) child.kill('SIGTERM');
};
// One is of no use without the other.
for (const child of children) child.on('exit', (code) => stop(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
