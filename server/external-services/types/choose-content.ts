// The media type of a request or response that a call uses, if there are several.
import type { OperationContent } from '../structure/operation-structure.ts'

/** Returns JSON if it is offered, otherwise a form, otherwise text, otherwise the first; null without content. */
export function chooseContent(content: readonly OperationContent[]): OperationContent | null {
  for (const prefers of preferences) {
    const chosen = content.find(({ mediaType }) => prefers(mediaType))
    if (chosen !== undefined) return chosen
  }
  return content[0] ?? null
}

/** Reports whether values of the media type are JSON; a range that includes JSON is taken as JSON. */
export function isJsonType(mediaType: string): boolean {
  const [type] = mediaType.split(';')
  return type === 'application/json' || type!.endsWith('+json') || type === '*/*' || type === 'application/*'
}

export function isFormType(mediaType: string): boolean {
  return mediaType.split(';')[0] === 'application/x-www-form-urlencoded'
}

const preferences: readonly ((mediaType: string) => boolean)[] = [
  (mediaType) => mediaType === 'application/json',
  (mediaType) => isJsonType(mediaType) && !mediaType.includes('*'),
  isJsonType,
  isFormType,
  (mediaType) => mediaType.startsWith('text/'),
]
