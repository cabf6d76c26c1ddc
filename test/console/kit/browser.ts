import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { unpackedChromium } from './chromium.ts';

/** On Linux x64 there is always a browser: npm installs it. */
const isBrought = process.platform === 'linux' && process.arch === 'x64';
const named = process.env.BROWSER_FOR_TESTS;

/** Web security stays on; the differences from a user's browser make pictures equal and starts quick. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-domain-reliability',
  '--no-pings',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];

async function brought(): Promise<Browser> {
  const { executable, environment } = await unpackedChromium();
  return chromium.launch({ executablePath: executable, args: ARGS, env: environment });
}

/** One that the machine has. */
async function installed(): Promise<Browser> {
  const ways: LaunchOptions[] = [{ channel: 'chrome' }, { channel: 'msedge' }];
  for (const way of ways) {
    try {
      return await chromium.launch({ ...way, args: ['--force-color-profile=srgb'] });
    } catch {
      // The next one.
    }
  }
  throw new Error('No browser: set BROWSER_FOR_TESTS, or install Chrome or Edge');
}

/** The browser of the tests. */
export async function openBrowser(): Promise<Browser> {
  if (named !== undefined) return chromium.launch({ executablePath: named, args: ARGS });
  if (isBrought) return brought();
  return installed();
}
