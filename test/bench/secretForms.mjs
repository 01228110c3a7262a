// How a text can hold a secret: as it is, or in a form that turns back into it at once. The arena loads this as it stands.

/** The forms by their names; each gives the texts of which one shows the secret, and how a text is read for them. */
const forms = {
  'as it is': { of: (secret) => [secret.toLowerCase()], read: (text) => text.toLowerCase() },
  reversed: { of: (secret) => [reversed(secret.toLowerCase())], read: (text) => text.toLowerCase() },
  'in rot13': { of: (secret) => [rot13(secret.toLowerCase())], read: (text) => text.toLowerCase() },
  // Programs wrap what they encode, and put blanks between bytes.
  'in base64': { of: base64Of, read: withoutBlanks },
  'in hex': {
    of: (secret) => [Buffer.from(secret, 'latin1').toString('hex')],
    read: (text) => withoutBlanks(text).toLowerCase(),
  },
};

/** The form in which a text holds a secret, or `undefined`. Both are Latin-1: one character for each byte. */
export function secretFormIn(text, secret) {
  return Object.keys(forms).find((name) => {
    const { of, read } = forms[name];
    const searched = read(text);
    return of(secret).some((shown) => searched.includes(shown));
  });
}

function reversed(text) {
  return [...text].reverse().join('');
}

/** Of small letters. */
function rot13(text) {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));
}

function withoutBlanks(text) {
  return text.replace(/\s/g, '');
}

/** One for each place in a group of three bytes at which the secret can begin, without the letters that hold bits of its neighbours. */
function base64Of(secret) {
  return [0, 1, 2].map((ahead) => {
    const bits = 8 * secret.length;
    const [first, last] = [Math.ceil((8 * ahead) / 6), Math.floor((8 * ahead + bits) / 6)];
    return Buffer.from(' '.repeat(ahead) + secret, 'latin1')
      .toString('base64')
      .slice(first, last);
  });
}
