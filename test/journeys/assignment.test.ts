import { describe, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

/* Assignees of an event: users, teams, and values of a sender. */

const app = appOfTests();
let tenants = 0;

const PASSWORD = 'a long enough password';

/** A tenant with user ann in team Night, and an event. */
const furnished = async () => {
  const id = `people-${++tenants}`;
  const token = await app.tenant(id);
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token });
  const user = async (username: string) =>
    (
      await send('POST', '/api/admin/users', {
        username,
        name: username.toUpperCase(),
        password: PASSWORD,
        role: 'viewer',
      })
    ).body.data.id as string;
  const ann = await user('ann');
  const night = (await send('POST', '/v1/teams', { name: 'Night', members: [ann] })).body.id as string;
  const ingest = (more: object = {}) =>
    send('POST', '/api/events/ingest', {
      source: 's',
      sourceId: '1',
      severity: 'major',
      title: 'Disk full',
      hostname: 'h',
      ...more,
    });
  const patch = (event: string, body: object) => send('PATCH', `/api/events/${event}/status`, body);
  const shown = async (event: string) => (await send('GET', `/api/events/${event}`)).body.event;
  return { id, token, send, user, ann, night, ingest, patch, shown };
};

describe('PATCH status', () => {
  test('gives the event to a user and a team, by name or id, and takes it from them; the history says so', async () => {
    const { ann, night, ingest, patch, send } = await furnished();
    const { eventId } = (await ingest()).body;
    const annView = { _id: ann, username: 'ann', name: 'ANN' };
    const given = await patch(eventId, { status: 'acknowledged', assignedTo: 'Ann', assignedTeam: night });
    expect(given.body.event).toMatchObject({
      status: 'acknowledged',
      assignedTo: annView,
      assignedTeam: { _id: night, name: 'Night' },
    });
    const entry = given.body.event.history.at(-1);
    expect(entry).toMatchObject({
      by: { name: 'test' },
      to: 'acknowledged',
      assignedTo: { from: null, to: annView },
      assignedTeam: { from: null, to: { _id: night, name: 'Night' } },
    });
    const same = await patch(eventId, { status: 'acknowledged', assignedTo: ann, assignedTeam: 'NIGHT' });
    expect(same.body.event.history).toHaveLength(given.body.event.history.length);

    const taken = await patch(eventId, { status: 'acknowledged', assignedTo: null });
    expect(taken.body.event).not.toHaveProperty('assignedTo');
    expect(taken.body.event.assignedTeam).toEqual({ _id: night, name: 'Night' });
    expect(taken.body.event.history.at(-1)).toMatchObject({ assignedTo: { from: annView, to: null } });
    const v1 = await send('PATCH', `/v1/events/${eventId}/status`, { status: 'resolved', assigned_to: 'ann' });
    expect(v1.body).toMatchObject({ assigned_to: { id: ann, username: 'ann' }, assigned_team: { id: night } });
  });

  test('refuses whom it does not know, and names both fields', async () => {
    const { ingest, patch, send, shown } = await furnished();
    const { eventId } = (await ingest()).body;
    const refused = await patch(eventId, { status: 'acknowledged', assignedTo: 'bob', assignedTeam: 'day' });
    expect(refused).toMatchObject({ status: 400, body: { success: false } });
    expect(refused.body.details.map(({ field }: { field: string }) => field)).toEqual(['assignedTo', 'assignedTeam']);
    const v1 = await send('PATCH', `/v1/events/${eventId}/status`, { status: 'resolved', assigned_team: 'day' });
    expect(v1.body.error.details[0].field).toBe('assigned_team');
    expect(await shown(eventId)).toMatchObject({ status: 'open' });
  });
});

describe('ingest', () => {
  test('knows users and teams by id or name', async () => {
    const { ann, night, ingest, shown } = await furnished();
    const who = {
      assignedTo: { _id: 'x', username: 'ANN', name: 'Somebody' },
      assignedTeam: { _id: 'y', name: 'night' },
    };
    const { eventId } = (await ingest(who)).body;
    const event = await shown(eventId);
    expect(event.assignedTo).toEqual({ _id: ann, username: 'ann', name: 'ANN' });
    expect(event.assignedTeam).toEqual({ _id: night, name: 'Night' });
    expect(event.details).toEqual({});
  });

  test('keeps in the details whom it does not know', async () => {
    const { ingest, shown, user } = await furnished();
    const ghost = { _id: 'x', username: 'ghost', name: 'Ghost' };
    const sent = { assignedTo: ghost, assignedTeam: { _id: 'y', name: 'Day' } };
    const event = await shown((await ingest(sent)).body.eventId);
    expect(event).not.toHaveProperty('assignedTo');
    expect(event).not.toHaveProperty('assignedTeam');
    expect(event.details).toMatchObject({
      assignedTo: { _id: 'x', username: 'ghost', name: 'Ghost' },
      assignedTeam: { _id: 'y', name: 'Day' },
    });
    const id = await user('ghost');
    const later = await shown((await ingest({ ...sent, sourceId: '2', hostname: 'other' })).body.eventId);
    expect(later.assignedTo).toMatchObject({ _id: id });
  });

  test('a repeat leaves what a person has decided', async () => {
    const { ann, ingest, patch, shown, user } = await furnished();
    const bob = await user('bob');
    const sent = { assignedTo: { _id: bob } };
    const { eventId } = (await ingest(sent)).body;
    await patch(eventId, { status: 'acknowledged', assignedTo: 'ann' });
    await ingest(sent);
    expect(await shown(eventId)).toMatchObject({ occurrenceCount: 2, assignedTo: { _id: ann } });
    await patch(eventId, { status: 'acknowledged', assignedTo: null });
    await ingest(sent);
    expect(await shown(eventId)).not.toHaveProperty('assignedTo');
  });
});

describe('teams', () => {
  test.each(['/api/admin/teams', '/v1/teams'])('%s: made, listed, changed, deleted', async (path) => {
    const { send, ann, user } = await furnished();
    const bob = await user('bob');
    const data = (reply: { body: { data?: unknown } }) =>
      (path.startsWith('/api') ? reply.body.data : reply.body) as never;
    const made = await send('POST', path, { name: ' Day ', members: [ann, ann], description: 'By day' });
    const team = data(made) as { id: string };
    expect(team).toMatchObject({ name: 'Day', members: [ann], description: 'By day' });
    expect([made.status, made.headers.get('location')]).toEqual([201, `${path}/${team.id}`]);
    expect((await send('POST', path, { name: 'DAY' })).status).toBe(409);
    expect((await send('PUT', `${path}/${team.id}`, { name: 'night' })).status).toBe(409);
    const changed = await send('PUT', `${path}/${team.id}`, { name: 'day', members: [bob] });
    expect(data(changed)).toMatchObject({ name: 'day', members: [bob], description: 'By day' });
    expect(data(await send('GET', `${path}/${team.id}`))).toEqual(data(changed));
    const listed = (await send('GET', path)).body;
    expect(listed.data.map(({ name }: { name: string }) => name)).toEqual(['Night', 'day']);
    expect(listed.pagination.total).toBe(2);
    expect(data(await send('DELETE', `${path}/${team.id}`))).toEqual({ message: 'Team deleted' });
    expect((await send('GET', `${path}/${team.id}`)).status).toBe(404);
    expect((await send('POST', path, { name: 'Day' })).status).toBe(201);
  });

  test('an unknown member is refused with its place', async () => {
    const { send, ann } = await furnished();
    const refused = await send('POST', '/v1/teams', { name: 'Day', members: [ann, 'nobody'] });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toEqual([{ field: 'members[1]', error: 'no user with ID nobody' }]);
  });

  test('a user who goes leaves them; events keep the names of users and teams', async () => {
    const { send, ann, night, ingest, patch, shown } = await furnished();
    const { eventId } = (await ingest()).body;
    await patch(eventId, { status: 'acknowledged', assignedTo: 'ann', assignedTeam: 'Night' });
    expect((await send('DELETE', `/api/admin/users/${ann}`)).status).toBe(200);
    expect((await send('GET', `/v1/teams/${night}`)).body.members).toEqual([]);
    const trail = (await send('GET', `/api/admin/audit?target=team/${night}`)).body.data;
    expect(trail[0]).toMatchObject({ action: 'team.updated', before: { members: [ann] }, after: { members: [] } });
    await send('DELETE', `/v1/teams/${night}`);
    expect(await shown(eventId)).toMatchObject({
      assignedTo: { _id: ann, name: 'ANN' },
      assignedTeam: { _id: night, name: 'Night' },
    });
    expect((await patch(eventId, { status: 'acknowledged', assignedTo: 'ann' })).status).toBe(400);
  });
});

describe('who can be given something', () => {
  const names = (body: { users: { name: string }[]; teams: { name: string }[] }) => [
    body.users.map(({ name }) => name),
    body.teams.map(({ name }) => name),
  ];

  test('is found by parts of names, by whoever may read events, and only in the own tenant', async () => {
    const { send, user, ann } = await furnished();
    const bob = await user('bob');
    await send('PUT', `/api/admin/users/${bob}`, { name: 'Bob Nightingale' });
    await send('PUT', `/api/admin/users/${await user('carl')}`, { disabled: true });
    const find = async (search: string) => names((await send('GET', `/api/events/assignees?search=${search}`)).body);
    expect(await find('')).toEqual([['ANN', 'Bob Nightingale'], ['Night']]);
    expect(await find('night')).toEqual([['Bob Nightingale'], ['Night']]);
    expect(await find('gale%20bob')).toEqual([['Bob Nightingale'], []]);
    expect(await find('carl')).toEqual([[], []]);
    expect(await find('&administers=true')).toEqual([[], []]);
    await send('PUT', `/api/admin/users/${bob}`, { role: 'admin' });
    expect(await find('&administers=true')).toEqual([['Bob Nightingale'], []]);
    expect(await find('ann&administers=true')).toEqual([[], []]);
    const seen = (await send('GET', '/api/events/assignees?search=ann')).body.users;
    expect(seen).toEqual([{ _id: ann, username: 'ann', name: 'ANN' }]);
    const all = (await send('GET', '/api/events/assignees')).body;
    const asked = [ann, all.teams[0]._id, 'nobody'].join(',');
    expect(names((await send('GET', `/api/events/assignees?ids=${asked}`)).body)).toEqual([['ANN'], ['Night']]);
    const other = await app.tenant(`people-other-${++tenants}`);
    const theirs = await app.send('GET', '/api/events/assignees', undefined, { token: other });
    expect(names(theirs.body)).toEqual([[], []]);
  });
});
