/** Bodies of Alertmanager: webhook versions 3 and 4, and the list of alerts that Prometheus itself posts. SNS carries them, too. */
import { z } from 'zod';
import { invalid } from '#domain/fault.ts';
import { isRecord } from '#domain/record-of.ts';
import { readEach } from './items.ts';
import { NO_LABELS } from './labels.ts';
import { type AlertContext, droppedOf, readAlert } from './prometheus-alert.ts';
import { anything, labels, text } from './shapes.ts';
import type { Delivered, InboundSettings, SourceReading } from './source.ts';

/** The source that they are stored under. */
export const PROMETHEUS = 'prometheus';

const shape = z.object({
  alerts: anything,
  status: text,
  receiver: text,
  groupKey: text,
  externalURL: text,
  commonLabels: labels,
  commonAnnotations: labels,
  truncatedAlerts: anything,
});

const EXPECTED =
  'expected the default Alertmanager webhook body with a list "alerts" (version 4); remove the custom "payload" template from the receiver\'s webhook_config';

function around(body: z.output<typeof shape>, settings: InboundSettings, receivedAt: number): AlertContext {
  const { receiver, groupKey, externalURL, commonLabels, commonAnnotations, status } = body;
  return {
    envelope: {
      source: PROMETHEUS,
      status,
      commonLabels,
      commonAnnotations,
      details: { receiver, groupKey, externalURL },
    },
    settings,
    receivedAt,
  };
}

const BARE = {
  source: PROMETHEUS,
  status: undefined,
  commonLabels: NO_LABELS,
  commonAnnotations: NO_LABELS,
  details: {},
};

export function readAlertmanager(
  { body, receivedAt }: Omit<Delivered, 'headers'>,
  settings: InboundSettings,
): SourceReading {
  if (Array.isArray(body) && body.length > 0 && body.every((alert) => isRecord(alert) && isRecord(alert.labels)))
    return { items: readEach(body, (alert) => readAlert(alert, { envelope: BARE, settings, receivedAt })) };
  if (!isRecord(body) || !Array.isArray(body.alerts)) throw invalid('alerts', EXPECTED);
  const said = shape.parse(body);
  const context = around(said, settings, receivedAt);
  const dropped = droppedOf(said.truncatedAlerts);
  return { items: readEach(body.alerts, (alert) => readAlert(alert, context)), ...(dropped > 0 && { dropped }) };
}
