import type { Recording } from './recording.ts';

/** Captured from the program's own requests by the test of `recorded.ts`. */
export const recordedClaudeCode: readonly Recording[] = [
  {
    version: '2.1.329',
    phases: {
      work: [
        { name: 'system/0', bytes: 78, sha256: '670ad6b7453bcd55f8c4c01fc4173d28856d70e2625c4b77ef02fab58935adf8' },
        { name: 'system/1', bytes: 62, sha256: '0d7062851dd7bd7e66d4be4f12ac4951e3d2f587ec408295333a49963bd3f6b7' },
        {
          name: 'messages/user-0-0',
          bytes: 551,
          sha256: 'f900e5f1d186267359de250af68283b4979cc2796e4d04d5e6ec10b899424596',
        },
        {
          name: 'messages/system-1-0',
          bytes: 793,
          sha256: 'b0f98b527afbe2d6a4c459edee3610d5fe7e030e9ecd6e594cf0c835e9589294',
        },
        { name: 'tools/Bash', bytes: 3783, sha256: 'f2592b249ce6acab5b4aa44751dfdb9dc211c80b63532c41a80b8ba3593edb6f' },
        { name: 'tools/Edit', bytes: 966, sha256: '6430d0c60f48540c7dc2e2cc80f853f708bb1dadc39f97e28e4e26053090e877' },
        { name: 'tools/Glob', bytes: 731, sha256: '341f5d0a2e2fa173176dcb50c181b328ba5ee5460155be8d7b14405eb0358939' },
        { name: 'tools/Grep', bytes: 3230, sha256: '1d3c47f9148f16decdc51ad52efff9a912b6c651a33d405aee399e5f73b0996c' },
        { name: 'tools/Read', bytes: 1923, sha256: 'a7d718db4e9dbf542d31a03bdae7e22214c7fadc4f900566d6c0f6149aeb4411' },
        { name: 'tools/Write', bytes: 639, sha256: '416c9b17ff1f7d9b3ab29616ff64b67503cc5aae15f4e4ebe22bddafe00c5d65' },
      ],
      'analyse-work': [
        { name: 'system/0', bytes: 78, sha256: '670ad6b7453bcd55f8c4c01fc4173d28856d70e2625c4b77ef02fab58935adf8' },
        { name: 'system/1', bytes: 62, sha256: '0d7062851dd7bd7e66d4be4f12ac4951e3d2f587ec408295333a49963bd3f6b7' },
        {
          name: 'messages/system-1-0',
          bytes: 838,
          sha256: '10888bc0f6bc22a1a7b054ded7ef2b0c7644a41794babd0ea65bf61c8648656c',
        },
        { name: 'tools/Glob', bytes: 731, sha256: '341f5d0a2e2fa173176dcb50c181b328ba5ee5460155be8d7b14405eb0358939' },
        { name: 'tools/Grep', bytes: 3230, sha256: '1d3c47f9148f16decdc51ad52efff9a912b6c651a33d405aee399e5f73b0996c' },
        { name: 'tools/Read', bytes: 1923, sha256: 'a7d718db4e9dbf542d31a03bdae7e22214c7fadc4f900566d6c0f6149aeb4411' },
      ],
      reflect: [
        { name: 'system/0', bytes: 78, sha256: '670ad6b7453bcd55f8c4c01fc4173d28856d70e2625c4b77ef02fab58935adf8' },
        { name: 'system/1', bytes: 62, sha256: '0d7062851dd7bd7e66d4be4f12ac4951e3d2f587ec408295333a49963bd3f6b7' },
        {
          name: 'messages/system-1-0',
          bytes: 793,
          sha256: 'b0f98b527afbe2d6a4c459edee3610d5fe7e030e9ecd6e594cf0c835e9589294',
        },
      ],
      dream: [
        { name: 'system/0', bytes: 78, sha256: '670ad6b7453bcd55f8c4c01fc4173d28856d70e2625c4b77ef02fab58935adf8' },
        { name: 'system/1', bytes: 62, sha256: '0d7062851dd7bd7e66d4be4f12ac4951e3d2f587ec408295333a49963bd3f6b7' },
        {
          name: 'messages/system-1-0',
          bytes: 793,
          sha256: 'b0f98b527afbe2d6a4c459edee3610d5fe7e030e9ecd6e594cf0c835e9589294',
        },
      ],
      triage: [
        { name: 'system/0', bytes: 78, sha256: '670ad6b7453bcd55f8c4c01fc4173d28856d70e2625c4b77ef02fab58935adf8' },
        { name: 'system/1', bytes: 62, sha256: '0d7062851dd7bd7e66d4be4f12ac4951e3d2f587ec408295333a49963bd3f6b7' },
        {
          name: 'messages/system-1-0',
          bytes: 793,
          sha256: 'b0f98b527afbe2d6a4c459edee3610d5fe7e030e9ecd6e594cf0c835e9589294',
        },
      ],
    },
  },
];
