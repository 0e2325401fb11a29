import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import { capSockets, socketsPerAddress } from './cap-sockets.ts';

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy() {
    this.destroyed = true;
    this.emit('close');
  }
}

function listening(behindProxy: boolean) {
  const server = new EventEmitter();
  capSockets(server as unknown as Server, behindProxy);
  return (address: string) => {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    return socket;
  };
}

test('one network has a limited number of sockets, and other networks still connect', () => {
  const connect = listening(false);
  const held = Array.from({ length: socketsPerAddress }, (_, at) => connect(`2001:db8::${at.toString(16)}`));
  expect(held.some((socket) => socket.destroyed)).toBe(false);
  expect(connect('2001:db8::ffff').destroyed).toBe(true);
  expect(connect('2001:db8:0:1::1').destroyed).toBe(false);
  expect(connect('192.0.2.1').destroyed).toBe(false);
  held[0]?.destroy();
  expect(connect('2001:db8::ffff').destroyed).toBe(false);
  expect(connect('2001:db8::ffff').destroyed).toBe(true);
});

test('an IPv6 site has the sockets of three networks, however many networks it has', () => {
  const connect = listening(false);
  const held = Array.from({ length: socketsPerAddress * 3 }, (_, at) => connect(`2001:db8:5:${at.toString(16)}::1`));
  expect(held.some((socket) => socket.destroyed)).toBe(false);
  expect(connect('2001:db8:5:ffff::1').destroyed).toBe(true);
  expect(connect('2001:db8:6::1').destroyed).toBe(false);
  held[0]?.destroy();
  expect(connect('2001:db8:5:ffff::1').destroyed).toBe(false);
});

test('loopback and a trusted proxy have no socket limit', () => {
  const [direct, proxied] = [listening(false), listening(true)];
  for (let at = 0; at < socketsPerAddress * 2; at += 1) {
    expect(direct('127.0.0.1').destroyed || direct('::ffff:127.0.0.1').destroyed).toBe(false);
    expect(proxied('192.0.2.1').destroyed).toBe(false);
  }
});
