import nodemailer from 'nodemailer';
import type { Mailer } from '#domain/ports/outbound.ts';

const TIMEOUT_MS = 15_000;

const OFF: Mailer = {
  isOn: false,
  publicUrl: '',
  send: () => Promise.reject(new Error('No mail server is configured: set FAULTLINE_SMTP_URL')),
};

interface SmtpOptions {
  /** `smtps://user:password@host:465?from=faultline@example.com`; null: no mail. */
  readonly smtpUrl: string | null;
  readonly publicUrl: string | null;
}

/** Mail by SMTP. An error names neither user nor password. */
export const openSmtp = ({
  smtpUrl,
  publicUrl,
}: SmtpOptions): { readonly mailer: Mailer; readonly close: () => void } => {
  if (smtpUrl === null) return { mailer: OFF, close: () => undefined };
  const url = new URL(smtpUrl);
  const from = url.searchParams.get('from') ?? decodeURIComponent(url.username);
  url.searchParams.delete('from');
  const transport = nodemailer.createTransport({
    url: url.href,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const mailer: Mailer = {
    isOn: true,
    publicUrl: publicUrl ?? '',
    async send({ to, subject, text }) {
      try {
        // An object is one address, whatever commas it has.
        const message = { from, to: { name: '', address: to }, subject, text };
        await transport.sendMail({ ...message, headers: { 'Auto-Submitted': 'auto-generated' } });
      } catch (error) {
        const { code = 'failed' } = error as NodeJS.ErrnoException;
        throw new Error(`Mail server ${url.hostname}: ${code}`, { cause: error });
      }
    },
  };
  return { mailer, close: () => transport.close() };
};
