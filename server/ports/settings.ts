// Named settings of the org in storage: runtime state as JSON.
import type { JsonValue } from '#kernel/change/canonical.ts'

export interface SettingReader {
  get(name: string): JsonValue | undefined
}

export interface SettingTransactor extends SettingReader {
  put(name: string, value: JsonValue): void
  delete(name: string): void
}
