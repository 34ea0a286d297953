// Types for the parts of Monaco that the studio uses and that have no types.
declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  export const StandaloneServices: {
    get(id: unknown): { store(key: string, value: boolean, scope: number, target: number): void }
  }
}

declare module 'monaco-editor/platform/storage/common/storage.js' {
  export const IStorageService: unknown
}
