/** Label by the name of the alert, of groups and events that Faultline itself pushes to an Alertmanager. */
export const FAULTLINE_ALERTS = { FaultlineGroup: 'faultline_group', FaultlineEvent: 'faultline_event' } as const;
