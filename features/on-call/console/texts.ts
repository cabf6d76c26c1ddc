export const onCall = 'On call';
export const onCallLead =
  'Shifts from the calendar of each team. Groups that a team does not acknowledge in time are assigned to its next team.';
export const teams = 'Teams';
export const team = 'Team';
export const now = 'On call now';
export const until = 'until';
export const unknown = 'Unknown';
export const calendar = 'Calendar';
export const noCalendar = 'None';
export const failed = (reason: string) => `Couldn't read: ${reason}`;
export const escalation = 'Escalation';
export const never = 'None';
export const after = (minutes: string, team: string) => `After ${minutes} to ${team}`;
export const noMembers = (team: string) => `${team} has no members`;
export const emptyTeam = (team: string) =>
  `${team} has no members. Groups would be assigned to it and no one would be notified. Add members under Teams.`;
export const edit = 'Edit';
export const noTeams = 'No teams yet';
export const noTeamsHint = 'Create a team first.';
export const editTitle = (name: string) => `On call: ${name}`;
export const save = 'Save';
export const saved = (name: string) => `Saved ${name}`;
export const url = 'iCalendar URL';
export const urlHint = 'Not shown again. Empty: unchanged.';
export const removeCalendar = 'Remove the calendar';
export const minutes = 'Escalate after (minutes)';
export const nextTeam = 'Next team';
