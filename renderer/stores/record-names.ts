// The names of records and the labels of objects that were shown, for their tabs.
import { shallowReactive } from 'vue'

const names = shallowReactive(new Map<string, string>())

/** @param path of the record's page, or of the list of an object */
export const recordName = (path: string): string | undefined => names.get(path)
export const noteRecordName = (path: string, name: string): unknown => names.set(path, name)
