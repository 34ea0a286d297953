// The log as the HTTP edge sees it; pino behind it, or nothing in tests.

export interface Log {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}

export const silentLog: Log = { info: () => {}, error: () => {} }
