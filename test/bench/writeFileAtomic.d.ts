declare module 'write-file-atomic' {
  function writeFileAtomic(path: string, data: Uint8Array): Promise<void>;
  export = writeFileAtomic;
}
