import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { START } from '#test/setup/test-app.ts';

/** The token of tenant `kept`, and when its directory was left (epoch ms). */
export const KEPT_TOKEN = 'flt_1yUqdKFPZObuCeEh1U0CK8gAuFrG0T2dXkFR';
export const LEFT = START + 60_000;

const read = (name: string): Buffer => gunzipSync(readFileSync(new URL(`./5c17e74/${name}.gz`, import.meta.url)));

/** Lays the kept files into a directory that a server can be started on. */
export function unpack(directory: string): void {
  for (const name of ['faultline.db', 'faultline.redo']) writeFileSync(join(directory, name), read(name));
}

/** Path → reply of the program that wrote the directory. */
export const answersOfThen = (): Readonly<Record<string, unknown>> => JSON.parse(read('answers.json').toString());
