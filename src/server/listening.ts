import { connect } from 'node:net';

/** Whether somebody listens at a socket; a process that is suspended does. */
export function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const tell = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => tell(true));
    // Whatever the reason, it cannot be told that somebody is there.
    socket.once('error', () => tell(false));
  });
}
