export const wallboardLinksNeedRead = (join: string) =>
  `Wallboard links need a read-only token. This token also grants ${join}.`;
export const cantReachTheServer = "Can't reach the server";
export const noAccessAssigned = 'Your account has no access to Faultline. Ask an administrator for a sign-in rule.';
export const userDisabled = 'Your user is disabled. Ask an administrator.';
export const usernameTaken = 'A local user already has your username. Ask an administrator to rename it.';
export const singleSignOnFailed = "Single sign-on didn't succeed. Try again; the audit log has the reason.";
