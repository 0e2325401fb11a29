import { createServer, type Socket } from 'node:net';

/**
 * An SMTP server that takes everything and keeps nothing, in a process of its own, so that what it costs is not the product's.
 * Tells its port, and then every 100 ms how many mails it has.
 */

let taken = 0;

function talk(socket: Socket): void {
  let text = '';
  let isData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (;;) {
      const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const part = text.slice(0, end);
      text = text.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        taken += 1;
        say('250 2.0.0 taken');
      } else if (/^EHLO/i.test(part)) {
        say('250-sink\r\n250 PIPELINING');
      } else if (/^DATA/i.test(part)) {
        isData = true;
        say('354 go on');
      } else if (/^QUIT/i.test(part)) {
        say('221 bye');
        socket.end();
      } else {
        say('250 2.0.0 ok');
      }
    }
  });
  say('220 sink ESMTP');
}

const server = createServer(talk);
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }));
setInterval(() => process.send?.({ taken }), 100);
process.on('disconnect', () => process.exit());
