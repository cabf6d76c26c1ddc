export const wallboardLinksNeedRead = (join: string) =>
  `Wallboard links need a read-only token. This token also grants ${join}.`;
export const cantReachTheServer = "Can't reach the server";
