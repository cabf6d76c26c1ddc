/** Opsgenie: its outgoing webhooks, and bodies of its alert API, which has an interface of its own. The item's sourceId is the alias. */

import { z } from 'zod';
import type { MonitorAction } from '#domain/event/draft.ts';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { fnv64 } from '#domain/texts/fnv.ts';
import { hostAddress, isPlace } from '../kit/hosts.ts';
import {
  type AlertReading,
  bodiesOf,
  change,
  ignore,
  open,
  readEach,
  type StatusChange,
  update,
} from '../kit/items.ts';
import { belongingOfLabels, hintsOfLabels, namedLabels, placeOfLabels } from '../kit/prometheus-labels.ts';
import { FREE_WORDS, rate } from '../kit/severity.ts';
import { anything, fields, inner, labelMap, text, texts } from '../kit/shapes.ts';
import type { Delivered, InboundSettings, MonitorSource } from '../kit/source.ts';
import { first } from '../kit/text.ts';
import { card } from './card.ts';

const NAME = 'opsgenie';
/** An alert without a priority is a P3. */
const SCALE = { source: NAME, table: FREE_WORDS, fallback: 'minor' as const };

const shape = z.object({
  action: text,
  alert: inner({
    ...fields(text, 'alertId alias message description entity source priority note username user'),
    details: labelMap,
    tags: texts,
    responders: anything,
  }),
});
type OpsgenieAlert = z.output<typeof shape>['alert'];

const CHANGES: Readonly<Record<string, StatusChange>> = {
  acknowledge: 'acknowledge',
  unacknowledge: 'unacknowledge',
  close: 'resolve',
  delete: 'resolve',
};
const UPDATES = ['updatemessage', 'updatedescription', 'updatepriority'];

/** Alerts without an alias are the same if their texts are. */
const keyOf = ({ alias, alertId, message = '', entity = '', source = '' }: OpsgenieAlert, isNew: boolean): string => {
  const key = first(alias, alertId);
  if (key !== undefined) return key;
  if (!isNew) throw invalid('alert.alias', 'expected the alias of the alert');
  return fnv64([message, entity, source]);
};

const problemOf = (alert: OpsgenieAlert, sourceId: string, raw: unknown, settings: InboundSettings): AlertReading => {
  const labels = namedLabels(alert.details);
  const byLabels = placeOfLabels(labels);
  return {
    source: NAME,
    sourceId,
    rated: rate(SCALE, alert.priority, settings),
    title: alert.message,
    description: alert.description,
    time: undefined,
    place: isPlace(byLabels) ? byLabels : hostAddress(alert.entity),
    belonging: belongingOfLabels(labels),
    ciHints: [alert.entity, ...hintsOfLabels(labels)],
    tags: [...alert.tags, ...alert.details.tags],
    details: { entity: alert.entity, sender: alert.source, note: alert.note, responders: alert.responders },
    raw,
  };
};

const read = (
  item: Readonly<Record<string, unknown>>,
  { receivedAt }: Delivered,
  settings: InboundSettings,
): MonitorAction => {
  const { action: said, alert } = shape.parse(isRecord(item.alert) ? item : { action: 'Create', alert: item });
  const action = (said ?? 'Create').toLowerCase();
  const sourceId = keyOf(alert, action === 'create');
  const status = CHANGES[action];
  if (status !== undefined) {
    const author = first(alert.user, alert.username);
    return change(status, { source: NAME, sourceId }, { notes: alert.note, author }, receivedAt);
  }
  const isUpdate = UPDATES.includes(action);
  if (action !== 'create' && !isUpdate) return ignore(sourceId, `action ${action} changes no event`);
  if (alert.message === undefined) throw invalid('message', 'expected the text of the alert');
  const told = problemOf(alert, sourceId, item, settings);
  return isUpdate ? update(told, receivedAt) : open(told, receivedAt);
};

export const opsgenie: MonitorSource = {
  name: NAME,
  aliases: [],
  title: 'Opsgenie',
  read: (delivered, settings) => ({
    items: readEach(bodiesOf(delivered.body, 'an alert of Opsgenie'), (item) => read(item, delivered, settings)),
  }),
  card,
};
