// The way from a page of a class to its server: says who it is each time it is connected, and comes back by itself.

/** Milliseconds before it is tried again, at first and at most. */
const FIRST = 250, LAST = 8000;
/** Address of a socket beside this page, also behind a prefix of a proxy. */
export function socketAddress(path) {
  const url = new URL(path, location.href.split("#")[0]);
  url.protocol = url.protocol.replace("http", "ws");
  return url.href;
}
/** Connect: `opened` is told when there is a connection, `heard` of each message, `lost` when there is none, with the code. */
export function line(path, { opened, heard, lost }) {
  let socket, tries = 0;
  function dial() {
    socket = new WebSocket(socketAddress(path));
    socket.onopen = () => opened(send);
    socket.onmessage = ({ data }) => {
      tries = 0;
      heard(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (lost(code)) return;
      setTimeout(dial, Math.min(LAST, FIRST * 2 ** tries++) * (0.5 + Math.random()));
    };
  }
  const send = (message) => socket.readyState === 1 && (socket.send(JSON.stringify(message)), true);
  dial();
  return {
    send,
    /** Leave for good. */
    end() {
      socket.onclose = null;
      socket.close();
    },
  };
}
