import type { Command } from 'commander';
import type { ReplyOf } from '#cli/client/replies.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import { addList, numberColumn, type TableList, textColumn } from '#cli/commands/lists.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, count } from '#cli/terminal/screen.ts';
import type { ServiceBody } from '#features/services/schemas/services.ts';

const listed: TableList<ReplyOf<typeof ServiceBody>> = {
  name: 'services',
  path: '/api/services',
  description: 'list business services with their health',
  filters: { search: 'words in the name or description', criticality: 'critical, high, medium or low' },
  columns: ['id', textColumn('name', 32), 'criticality', 'health', numberColumn('score'), numberColumn('CIs')],
  row: ({ id, name, criticality, components, health: { status, score } }) => [
    id,
    clip(name, 80),
    criticality,
    status,
    String(score),
    count(components.length),
  ],
};

const addServices = (program: Command, environment: CliEnvironment): void => addList(program, environment, listed);

export const services: CliFeature = { id: 'services', commands: [{ place: 85, add: addServices }] };
