import { expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import { feedOf } from './partition-control.ts';

test('orders for a client that has left its group and has not joined it again yet are dropped', () => {
  const kafka = new kafkajs.Kafka({ brokers: ['127.0.0.1:1'], logLevel: kafkajs.logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: 'g' });
  expect(() => consumer.pause([{ topic: 't' }])).toThrow(/not initialized/);
  const feed = feedOf(consumer, 't', 0);
  feed.pause();
  feed.resume();
  feed.seek(7);
});

test('whatever else goes wrong is thrown', () => {
  const fail = (): never => {
    throw new TypeError('no such partition');
  };
  const feed = feedOf({ seek: fail, pause: fail, resume: fail }, 't', 0);
  expect(() => feed.seek(7)).toThrow(TypeError);
  expect(() => feed.pause()).toThrow(TypeError);
  expect(() => feed.resume()).toThrow(TypeError);
});
