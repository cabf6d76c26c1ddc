import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openMailServer } from '#test/setup/mail-server.ts';
import { openSmtp } from './smtp.ts';

let server: Awaited<ReturnType<typeof openMailServer>>;
beforeEach(async () => {
  server = await openMailServer();
});
afterEach(() => server.close());

const open = () => openSmtp({ smtpUrl: server.url, publicUrl: null });

test('a mail arrives with its subject and text; headers cannot be added', async () => {
  const { mailer, close } = open();
  await mailer.send({ to: 'ann@example.com', subject: 'Disk full\r\nBcc: eve@example.com', text: 'On web-1\n.\nNow' });
  close();
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]?.to).toBe('ann@example.com');
  expect(server.mails[0]?.text).toContain('From: faultline@example.com');
  expect(server.mails[0]?.text).toMatch(/^Subject: Disk full Bcc: eve@example.com$/m);
  expect(server.mails[0]?.text).toContain('On web-1');
});

test('a refusal names the server, not its credentials', async () => {
  server.refuse();
  const { mailer, close } = open();
  await expect(mailer.send({ to: 'ann@example.com', subject: 'x', text: 'y' })).rejects.toThrow(
    'Mail server 127.0.0.1: ',
  );
  close();
});

test('without a server nothing is sent', async () => {
  const { mailer } = openSmtp({ smtpUrl: null, publicUrl: null });
  expect(mailer.isOn).toBe(false);
  await expect(mailer.send({ to: 'ann@example.com', subject: 'x', text: 'y' })).rejects.toThrow('FAULTLINE_SMTP_URL');
});
