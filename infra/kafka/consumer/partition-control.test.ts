import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { partitionControl } from './partition-control.ts';

test('orders for a client that has left its group and has not joined it again yet are dropped', () => {
  const kafka = new kafkajs.Kafka({ brokers: ['127.0.0.1:1'], logLevel: kafkajs.logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: 'g' });
  expect(() => consumer.pause([{ topic: 't' }])).toThrow(/not initialized/);
  const control = partitionControl(consumer, 't', 0);
  control.pause();
  control.resume();
  control.seek(7);
});

test('whatever else goes wrong is thrown', () => {
  const fail = (): never => {
    throw new TypeError('no such partition');
  };
  const control = partitionControl({ seek: fail, pause: fail, resume: fail }, 't', 0);
  expect(() => control.seek(7)).toThrow(TypeError);
  expect(() => control.pause()).toThrow(TypeError);
  expect(() => control.resume()).toThrow(TypeError);
});
