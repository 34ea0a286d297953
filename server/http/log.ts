// The log of the HTTP edge: pino, or nothing in tests.

export interface Log {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const silentLog: Log = { info: () => {}, error: () => {} }
