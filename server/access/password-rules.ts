// Decides which passwords are accepted, following NIST SP 800-63B: a minimum length and a list of common guesses, but
// no composition rules (docs/decisions.md).

const minLength = 12
const maxLength = 1024
/** Letters that a password needs in addition to commonly guessed words. */
const ownLetters = 4
const minDistinct = 5

/** Words that most guesses consist of; digits and symbols around them add little. */
const guessed = [
  'password',
  'passwort',
  'passwd',
  'secret',
  'qwertyuiop',
  'qwertzuiop',
  'qwerty',
  'qwertz',
  'asdfghjkl',
  'zxcvbnm',
  'administrator',
  'admin',
  'welcome',
  'willkommen',
  'letmein',
  'changeme',
  'iloveyou',
  'almanac',
  'abcdefghijklm',
  'abcdef',
  'monkey',
  'dragon',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'master',
  'login',
  'root',
  'test',
  'user',
]

/** Returns why a password is refused; null if it is accepted. `user` is the key of the password's user. */
export function explainPassword(password: string, user: string): string | null {
  const characters = [...password]
  if (characters.length < minLength)
    return `A password must have at least ${minLength} characters. Several unrelated words are easy to remember.`
  if (password.length > maxLength) return `A password must have at most ${maxLength} characters.`
  if (new Set(characters).size < minDistinct || isSequence(characters) || isGuessed(password, user))
    return 'This password is too easy to guess. Choose several unrelated words.'
  return null
}

/** Counting up or down, as in 123456789012. */
function isSequence(characters: readonly string[]): boolean {
  const codes = characters.map((character) => character.codePointAt(0)!)
  const steps = codes.slice(1).map((code, at) => code - codes[at]!)
  const regular = steps.filter((step) => Math.abs(step) === 1 || Math.abs(step) === 9).length
  return regular >= steps.length - 1
}

function isGuessed(password: string, user: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const words = user.length >= 3 ? [user.toLowerCase(), ...guessed] : guessed
  let rest = plain
  for (const word of words) rest = rest.replaceAll(word, ' ')
  return rest !== plain && rest.replaceAll(/[^\p{L}]/gu, '').length < ownLetters
}
