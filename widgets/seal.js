// Sealing on the device itself: only the commitment leaves it, until the value is revealed.

const K = Uint32Array.from({ length: 64 }, (_, at) => root(prime(at), 1 / 3));
const START = Uint32Array.from({ length: 8 }, (_, at) => root(prime(at), 1 / 2));
function prime(count) {
  for (let found = -1, one = 2; ; one++) {
    let divides = false;
    for (let by = 2; by * by <= one; by++) if (one % by === 0) divides = true;
    if (!divides && ++found === count) return one;
  }
}
function root(number, power) {
  const value = number ** power;
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** SHA-256 of a text, as hexadecimal digits: a page on a school's address has no crypto.subtle. */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text), size = ((bytes.length + 8) >> 6) * 64 + 64;
  const padded = new Uint8Array(size), view = new DataView(padded.buffer);
  padded.set(bytes);
  padded[bytes.length] = 128;
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, (bytes.length << 3) >>> 0);
  const hash = Uint32Array.from(START), w = new Uint32Array(64);
  for (let block = 0; block < size; block += 64) {
    for (let at = 0; at < 16; at++) w[at] = view.getUint32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const [x, y] = [w[at - 15], w[at - 2]];
      w[at] = w[at - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[at - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, last] = hash;
    for (let at = 0; at < 64; at++) {
      const one = (last + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[at] + w[at]) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [last, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, last].forEach((word, at) => { hash[at] += word; });
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** Write plain data as the record does: sorted, without blanks, in ASCII. */
function canonical(data) {
  const sorted = Object.fromEntries(Object.keys(data).sort().map((name) => [name, data[name]]));
  return JSON.stringify(sorted).replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Seal a value: {commitment, value, nonce}. */
export function sealed({ game, round, seat }, value, nonce = fresh()) {
  return { commitment: sha256(canonical({ domain: "nomic_nb seal 1", game, round, seat, nonce, value })), value, nonce };
}
function fresh() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
