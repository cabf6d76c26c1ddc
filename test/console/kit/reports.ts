import type { BrowserContext, Page } from 'playwright-core';

/** Errors in any page of a context, even if they were invisible. */
export interface Reports {
  /** Violations of the content security policy. */
  readonly policy: readonly string[];
  /** Errors of scripts, and errors written to the console. */
  readonly errors: readonly string[];
}

/** The browser itself writes these when the server refuses; the page shows it in its own form. */
const EXPECTED = /^Failed to load resource: (?:the server responded with a status of (?:4|5)|net::ERR_)/;

interface Listening {
  tellPolicy(text: string): void;
}

/** Collects from now on. */
export async function collectReports(context: BrowserContext): Promise<Reports> {
  const [policy, errors]: [string[], string[]] = [[], []];
  await context.exposeFunction('tellPolicy', (text: string) => void policy.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, sample }) => {
      (window as unknown as Listening).tellPolicy([violatedDirective, blockedURI, sourceFile, sample].join(' '));
    });
  });
  const listen = (page: Page): void => {
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) errors.push(message.text());
    });
  };
  for (const page of context.pages()) listen(page);
  context.on('page', listen);
  return { policy, errors };
}
