// Whether a user matches a text: each word is part of the name or the key, ignoring case and accents.

export function isFound({ key, name }: { key: string; name: string }, text: string): boolean {
  const hay = plain(`${name} ${key}`)
  return plain(text)
    .split(/\s+/)
    .every((word) => hay.includes(word))
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
