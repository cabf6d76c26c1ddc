import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

/** Below `node_modules`, which no other user can write: its content is executed. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

export interface UnpackedChromium {
  readonly executable: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The fonts of the package and no others, so that pictures are the same everywhere. */
const fontsOf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${join(folder, 'fonts')}</dir>
<cachedir>${join(folder, 'font-cache')}</cachedir>
<config></config>
</fontconfig>
`;

const decompress = (path: string, target: string, mode = 0o600): Promise<void> =>
  pipeline(createReadStream(path), createBrotliDecompress(), createWriteStream(target, { mode }));

async function untar(archive: string, folder: string, name: string): Promise<void> {
  const plain = join(folder, `${name}.tar`);
  await decompress(archive, plain);
  await promisify(execFile)('tar', ['-xf', plain, '-C', folder]);
  rmSync(plain);
}

async function unpack(packed: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await Promise.all([
    decompress(join(packed, 'chromium.br'), join(folder, 'chromium'), 0o700),
    // Libraries that a bare system lacks, fonts, and graphics without a card.
    ...['al2023', 'fonts', 'swiftshader'].map((name) => untar(join(packed, `${name}.tar.br`), folder, name)),
  ]);
}

/** Unpacked once for all tests: 4 s. Others may be unpacking at the same moment; the last one is as good as the first. */
export async function unpackedChromium(): Promise<UnpackedChromium> {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url)!;
  const { default: facts } = (await import(manifest, { with: { type: 'json' } })) as { default: { version: string } };
  const folder = join(CACHE, `chromium-${facts.version}`);
  if (!existsSync(folder)) {
    const mine = `${folder}-${process.pid}`;
    await unpack(join(dirname(manifest), 'bin'), mine);
    if (existsSync(folder)) rmSync(mine, { recursive: true });
    else renameSync(mine, folder);
    // The configuration names the folder.
    writeFileSync(join(folder, 'fonts.conf'), fontsOf(folder));
  }
  const libraries = join(folder, 'al2023', 'lib');
  return {
    executable: join(folder, 'chromium'),
    environment: {
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      LD_LIBRARY_PATH: existsSync(libraries) ? libraries : join(folder, 'lib'),
      HOME: folder,
      // Times are shown in the zone chosen by the user; without a choice in this one.
      TZ: 'UTC',
      // Chromium sets them as it starts, and glibc moves the environment for new ones while other threads read it: a crash, rarely.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      FC_FONTATIONS: '1',
    },
  };
}
