import { connect } from 'node:net';

/** Whether a process listens at a socket; a suspended process counts too. */
export function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => settle(true));
    // Whatever the reason, nothing shows that a process listens there.
    socket.once('error', () => settle(false));
  });
}
