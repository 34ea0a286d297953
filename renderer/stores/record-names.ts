// The names of records that were shown, for their tabs.
import { shallowReactive } from 'vue'

const names = shallowReactive(new Map<string, string>())

/** @param path of the record's page */
export const recordName = (path: string): string | undefined => names.get(path)
export const noteRecordName = (path: string, name: string): unknown => names.set(path, name)
