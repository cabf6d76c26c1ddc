import { PROMETHEUS, readAlertmanager } from '../kit/alertmanager-body.ts';
import type { MonitorSource } from '../kit/source.ts';
import { card } from './card.ts';

export const alertmanager: MonitorSource = {
  name: PROMETHEUS,
  aliases: ['alertmanager'],
  title: 'Prometheus Alertmanager',
  read: readAlertmanager,
  card,
};
