import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { type ResetRequest, requestReset, setPasswordByLink } from '#application/tenants/password-links.ts';
import { PasswordByLink, PasswordResetRequest, PasswordSet } from '#schemas/http/admin/auth.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped } from '#schemas/http/envelope.ts';

const common = {
  tag: 'Authentication',
  permission: null,
  limit: 'none',
  alsoFaults: ['unprocessable', 'rate-limited'],
} as const;

const reset = endpoint<ResetRequest, void>({
  ...common,
  id: 'auth.password.reset',
  summary: 'Send a link to reset a password',
  description:
    'Emails a link that works once, for an hour. The response is the same whether or not the account exists and has an email address. Requires FAULTLINE_SMTP_URL and FAULTLINE_PUBLIC_URL.',
  mounts: on.platform.post('/auth/password/reset', {
    status: 202,
    body: PasswordResetRequest,
    reply: wrapped(Message),
    read: ({ body: { account, tenant = null } }) => ({ account, tenant }),
    present: () => ({ body: { message: 'If the account has an email address, a link is on its way' } }),
  }),
  handle: (request, context) => requestReset(context, request),
});

interface NewPassword {
  readonly code: string;
  readonly password: string;
}
const set = endpoint<NewPassword, { readonly username: string; readonly tenant: string }>({
  ...common,
  id: 'auth.password.set',
  summary: 'Change a password with a link',
  description: 'Accepts the code of an invitation or of a reset link once. Ends all sessions of the user.',
  mounts: on.platform.post('/auth/password/set', {
    body: PasswordByLink,
    reply: wrapped(PasswordSet),
    read: ({ body }) => body,
    present: (body) => ({ body }),
  }),
  handle: (input, context) => setPasswordByLink(context, input),
});

export const passwordLinkEndpoints = [reset, set];
