export const searchUsersAndTeams = 'Search users and teams';
export const usersAndTeams = 'users and teams';
export const myTeam = 'my team';
export const searchServices = 'Search services';
export const services = 'services';
