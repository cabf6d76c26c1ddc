import { expect, test } from '@jest/globals';
import { isSnsCertificateUrl, isSnsUrl } from './sns.ts';

test.each([
  ['https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription', true],
  ['https://sns.cn-north-1.amazonaws.com.cn/x', true],
  ['https://sns.us-gov-west-1.amazonaws.com:443/x', true],
  ['http://sns.eu-west-1.amazonaws.com/x', false],
  ['https://sns.eu-west-1.amazonaws.com:8443/x', false],
  ['https://sns.eu-west-1.amazonaws.com.evil.com/x', false],
  ['https://sns.eu-west-1.amazonaws.com./x', false],
  ['https://evil.com/sns.eu-west-1.amazonaws.com', false],
  ['https://sns.eu-west-1.amazonaws.com@evil.com/x', false],
  ['https://user:pw@sns.eu-west-1.amazonaws.com/x', false],
  ['https://evil.com\\@sns.eu-west-1.amazonaws.com/x', false],
  ['https://sns.a.b.amazonaws.com/x', false],
  ['https://sqs.eu-west-1.amazonaws.com/x', false],
  ['https://sns.eu-west-1.amazonaws.com.co/x', false],
  ['https://169.254.169.254/latest', false],
  ['', false],
])('SNS address %s: %p', (url, allowed) => {
  expect(isSnsUrl(url)).toBe(allowed);
});

test.each([
  ['https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem', true],
  ['https://sns.eu-west-1.amazonaws.com/cert.pem?x=1', true],
  ['https://sns.eu-west-1.amazonaws.com/?x=.pem', false],
  ['https://evil.com/cert.pem', false],
])('certificate address %s: %p', (url, allowed) => {
  expect(isSnsCertificateUrl(url)).toBe(allowed);
});
