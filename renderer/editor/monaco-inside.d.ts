// Parts of Monaco without types of their own, as far as the studio uses them.
declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  export const StandaloneServices: {
    get(id: unknown): { store(key: string, value: boolean, scope: number, target: number): void }
  }
}

declare module 'monaco-editor/platform/storage/common/storage.js' {
  export const IStorageService: unknown
}
