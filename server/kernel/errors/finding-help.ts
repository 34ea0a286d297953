// The severity of each finding code and how to fix it, for docs/reference/errors.md and SARIF. A code without one does
// not compile.
import type { Severity } from './finding.ts'
import type { FindingCode } from './finding-codes.ts'

export interface FindingHelp {
  /** Several if the severity depends on the case; the highest first. */
  severities: readonly [Severity, ...Severity[]]
  /** What to do, as instructions. */
  fix: string
}

const error = (fix: string): FindingHelp => ({ severities: ['error'], fix })
const warning = (fix: string): FindingHelp => ({ severities: ['warning'], fix })
const info = (fix: string): FindingHelp => ({ severities: ['info'], fix })
const errorOrWarning = (fix: string): FindingHelp => ({ severities: ['error', 'warning'], fix })
const restore = error('Restore the org folder from a backup.')

export const findingHelp = {
  // Form of a component
  'body.missing': error('Add the property.'),
  'body.duplicate_property': error('Keep one of the two.'),
  'body.unknown_property': error(
    'Correct the name, or remove the property. The message suggests a similar name.',
  ),
  'body.type': error('Use a value of the type named in the message.'),
  'body.value': error('Use one of the values listed in the message.'),
  'body.number': error('Write the number as text, or with fewer digits.'),
  'body.range': error('Use a number, or text with a length, within the bounds in the message.'),
  'body.format': error('Use the format named in the message.'),
  'envelope.invalid': error('Write one JSON object with type, key, label and body.'),
  'envelope.type': error('Use an existing component type. The message suggests a similar one.'),
  'component.more_findings': error('Fix the findings that are listed, then validate again.'),
  'key.invalid': error('Start with a letter a to z, and use only a to z, digits and underscores.'),
  'key.duplicate_item': error('Give one of the two items a different key.'),
  'key.unreadable': error('Choose a key that is not a reserved word in expressions.'),
  'key.shared_space': error('Rename the flag or the set; expressions read both by key.'),
  'key.entry_set': error('Write the key as <set key>.<slug>.'),
  'reference.unknown': error('Correct the key, or add the component to the same change list.'),
  'reference.unknown_field': error('Correct the field, or add it to its set or object.'),

  // Configuration sets
  'config.secret_type': error('Use credential_reference, or declare an external credential.'),
  'config.keyed_by': error('Add keyedBy to a keyed set; remove it from a singleton.'),
  'config.org_scope_missing': error('Add org to the scope chain.'),
  'config.field_shape': error('Add or remove the property that the type of the field requires or excludes.'),
  'config.as_of_required': error('Add asOfField, such as invoice.tax_date.'),
  'config.as_of_not_allowed': error('Remove asOfField, or make the set effective-dated.'),
  'config.as_of_field': error('Name a required date or datetime field as <object>.<field>.'),

  // Configuration entries
  'config.set_missing': error('Correct the key of the set, or add the set to the same change list.'),
  'config.scope_kind': error('Use org, environment, app, locale, permission_set or user.'),
  'config.scope_not_declared': error('Add the kind to the scopes of the set, or choose a kind that it has.'),
  'config.scope_user': warning('Name an active user, or remove the entry.'),
  'config.priority_missing': error('Add a priority; the highest number wins.'),
  'config.priority_not_allowed': error('Remove the priority.'),
  'config.key_missing': error('Add the business key.'),
  'config.key_not_allowed': error('Remove the business key.'),
  'config.key_unseen': warning('Remove the invisible characters, if they are not intended.'),
  'config.key_type': error('Use a key of the type that the set declares in keyedBy.'),
  'config.dates_required': error('Add effectiveFrom with the first day.'),
  'config.dates_not_allowed': error('Remove the dates, or make the set effective-dated.'),
  'config.range_empty': error('Set effectiveTo to a day after effectiveFrom, or to null.'),
  'config.value_unknown_field': error('Correct the name of the field, or add it to the set.'),
  'config.value_required': error('Add a value for the field.'),
  'config.value_type': error('Use a value of the field’s type; numbers and dates are written as text.'),
  'config.value_scale': error('Round the value, or raise the scale of the field.'),
  'config.value_precision': error('Correct the value, or raise the precision of the field.'),
  'config.value_enum': error('Use a value of the value set, or add it there.'),
  'config.value_inactive': warning('Use an active value, or activate this one in the value set.'),

  // The entries of one key together
  'config.range_overlap': error('End the earlier entry when the later one starts: repair end_earlier.'),
  'config.range_gap': error('Choose a repair: extend_earlier, extend_later, set_value or drop_key.'),
  'config.range_end': error('Remove the end, or add an entry: repair extend_last, set_value or drop_key.'),
  'config.permission_tie': error('Give the two entries different priorities.'),
  'config.org_missing': error('Add an entry at org.'),
  'config.duplicate_entry': error('Keep one of the two entries.'),

  // Flags
  'flag.owner': error('Name an active user or an existing group as owner.'),
  'flag.expiry': error('Add expiresOn with a date.'),
  'flag.expired': warning('Remove the flag, or extend its expiry with a new rationale.'),
  'flag.default_type': error('Use true or false.'),
  'flag.frozen': error('Extend the expiry with a new rationale first.'),
  'flag.rationale': error('Enter a rationale that the flag has not had before.'),
  'flag.org_entry': error('Change the default of the flag, and remove the entry.'),

  // Objects, automations, pages
  'object.field_shape': error('Add or remove the property that the type of the field requires or excludes.'),
  'object.virtual': error('Remove the property, or make the object local.'),
  'object.remote_name': error('Use the name from the metadata of the source.'),
  'object.owner_column': error('Let the source filter, or remove the owner column.'),
  'object.too_many_fields': error('Move some of the fields to a related object.'),
  'object.rollup': error('Choose a child, reference field and operand that fit the operation.'),
  'object.name_field': error('Choose a text field.'),
  'object.reserved_key': error('Choose a different key.'),
  'object.alias': error('Remove the alias from one of the two.'),
  'object.records_lost': error('Delete the records first.'),
  'object.values_lost': error(
    'Keep the field, or confirm the loss with "breaking": true on the object, or for a rollback or a revert with its id in "breaking" (--breaking). Values of a renamed field are kept if its former key is among its "aliases".',
  ),
  'object.bound_cycle': error(
    'Recompute the records of the named objects first, so that no stored value keeps the earlier formula.',
  ),
  'object.duplicate_values': error(
    'Change the records that have the same value, or do not make the field unique.',
  ),
  'object.values_kept': info(
    'Recompute the records of the object after the apply, if they should take the new formula.',
  ),
  'object.values_retired': warning(
    'Keep the value active, make it inactive instead of removing it, or change the records first.',
  ),
  'object.owner_field': error('Choose a text field with the key of a user.'),
  'calc.key_taken': error('Choose a different key.'),
  'calc.param_shadowed': error('Choose a different name.'),
  'automation.object': error(
    'Add or remove the object, the parameters, grants or returned values, as the phase requires.',
  ),
  'automation.action_phase': error('Use an action that the phase allows, or change the phase.'),
  'automation.callout_name': error('Choose a key that is not a field, a parameter or a reserved name.'),
  'automation.cycle': warning(
    'Give one of the automations a condition that ends the cycle, or remove an action.',
  ),
  'automation.target': error('Correct the channel, field, operation or path of the action.'),
  'placement.invoke': error('Name each parameter and returned value with a field of its type.'),
  'placement.element': error('Place an element or a field of the object that exists.'),
  'placement.input': errorOrWarning('Use an attribute of the element, with a value of its type.'),
  'placement.required_field': warning('Place the field in a step, or give it a default.'),
  'permission.unknown_field': error('Write the path as <object>.<field>, with a field that exists.'),
  'permission.field_not_granted': warning(
    'Grant reading the field in one of the permission sets that the message names.',
  ),
  'permission.edit_without_read': warning('Also grant permission to read.'),

  // Integration
  'credential.principals': error(
    'Add a principal, or change its mode or parameters, as the scheme requires.',
  ),
  'credential.principal': error('Name a principal of the external credential.'),
  'credential.url': error('Use an http or https URL without a user name, password or fragment.'),
  'credential.parameter': error('Use a different name, or remove what the scheme sets itself.'),
  'credential.unencrypted': warning('Use https, except on this machine.'),
  'credential.timeout': warning('Lower the timeout, if synchronous calls use the credential.'),
  'service.operation': error('Select at least one operation, or omit the list to use all.'),
  'service.import': error('Follow the message: correct the address or the description, or provide its text.'),
  'service.hash': error('Set the hash to the one in the message, or remove it.'),
  'service.untyped': info('Convert such values in expressions, for example with text(x).'),
  'service.drift': errorOrWarning(
    'Adapt what uses the operation, or set onSpecDrift to "warn" to accept the change.',
  ),
  'service.changed': info('Nothing has to be done.'),
  'webhook.path': error(
    'Use a path such as /hooks/payments that no other webhook and no part of the server uses.',
  ),
  'webhook.run_as': error('Name an active user.'),
  'webhook.dispatch': error('Keep exactly one of publishTo, automation and upsert, with a valid target.'),
  'webhook.secret': error('Use a credential with one named principal, whose scheme has the secret "key".'),
  'webhook.undispatched': warning(
    'Wait until they are dispatched, or discard them. After the removal they fail.',
  ),
  'webhook.template': error(
    'Include {body}, use only {timestamp}, {id} and {body}, and name the headers they need.',
  ),
  'channel.subscribed': error(
    'Delete the subscriptions first, or confirm with "breaking": true on the component, or for a removal with its id in "breaking" (--breaking).',
  ),
  'channel.source': error('Keep either the schema or the object.'),
  'channel.partition_key': error('Name a field of the schema; a channel of an object has no partition key.'),
  'channel.capture_off': warning('Enable change capture on the object.'),
  'client.run_as': error('Name an active user.'),
  'client.jwks': error(
    'Add the public keys for oauth2_jwt_bearer, without private members: RSA of 2048 to 8192 bits, P-256, P-384, P-521 or Ed25519, for signatures. Remove the keys for other schemes.',
  ),

  // Changes
  'component.duplicate': error('Keep one of the two.'),
  'component.unknown_removal': error('Correct the key, or take the removal out of the change list.'),
  'component.rename_source': error('Name the key that the component has in the active generation.'),
  'component.rename_self': error('Remove renamedFrom.'),
  'component.rename_twice': error('Keep renamedFrom in only one of the two.'),
  'component.rename_both': error('Remove the component with the former key from the list.'),
  'access.hidden': error('Ask a user who can see the component to apply the change.'),
  'access.nobody_left': error('Keep an active user who holds access.manage or platform.root.'),
  'component.rename_taken': error('Choose a key that does not exist.'),
  'files.json': error('Correct the JSON at the line and column of the finding.'),
  'files.encoding': error('Save the file as UTF-8.'),
  'files.byte_order_mark': warning('The byte order mark was ignored. Save the file without one.'),
  'files.place': error('Move the file to <type>/<key>.json, or correct its type and key.'),
  'files.folder': error('Name the folder after a component type; folders that start with a dot are ignored.'),
  'files.unreadable': error('Make it a regular file that can be read, with the extension .json.'),
  'draft.json': error('Correct the JSON of the draft.'),
  'draft.other_component': error('Restore type and key in the text of the draft.'),
  'draft.author': info('Read the draft before you apply it.'),
  'draft.left_out': info('Include the drafts of other users if they belong to the change.'),
  'draft.grants_author': warning('Apply the draft only if the new permissions are intended.'),
  'draft.overtaken': error(
    'Compare the draft with the active component and discard it. To keep it, save its text again.',
  ),
  'deploy.slice_budget': error('Remove entries, or raise the budget with "almanac budget".'),
  'deploy.secret_absent': error('Set the secret of the credential, then apply again.'),
  'deploy.field_in_use': error(
    'Keep the field and its former keys as "aliases" until the client no longer uses them, or confirm with "breaking": true on the object, or for a rollback or a revert with its id in "breaking" (--breaking).',
  ),
  'deploy.still_referenced': error('Remove the references in the same change list, or keep the component.'),

  // Imports and repairs
  'import.row': error('Quote cells that contain the delimiter, and complete the row.'),
  'import.key': error('Fill in the key.'),
  'import.date': error('Correct the date, or the date format in the map.'),
  'import.cell': error('Correct the cell, or how the map reads its column.'),
  'import.repeated': errorOrWarning('Keep one of the two rows. Rows with the same values are imported once.'),
  'import.implausible': warning('Compare the file with the set; correct the map with "as" or "times".'),
  'repair.not_offered': error('Choose a repair that the finding offers.'),
  'repair.not_needed': warning('Remove the choice, or correct its code and key.'),

  // Expressions
  'expr.syntax': error('Correct the expression at the position of the finding.'),
  'expr.unknown_name': error('Correct the name. The message suggests a similar one.'),
  'expr.type': error('Use operands and arguments of matching types.'),
  'expr.arguments': error('Call the function with the arguments that the message lists.'),
  'expr.set_key': error('Pass a key to a keyed set, and none to a singleton.'),
  'expr.rollup_reads': error('Add a stored formula to the child and read that.'),
  'expr.viewer_dependent': error(
    'Read a set without user, permission_set and locale scopes, or do not store the value.',
  ),
  'expr.not_a_reader': error('Add a date field of the object to asOfField of the set.'),
  'expr.as_of_mixed': error('Read only sets that use the same date field.'),
  'expr.forbidden_call': error('Pass the value in as a field, a parameter or an input.'),
  'expr.result_type': error('Make the expression return the type in the message.'),
  'expr.unsupported': error('Use the syntax that the expression reference lists.'),
  'expr.not_pushed_down': error(
    'Store the formula with the condition or the order, or use what the source of the virtual object supports.',
  ),
  'expr.function': error('Correct the expression of the calc function.'),
  'expr.too_deep': error('Reduce the nesting of calc functions.'),
  'expr.cycle': error('Remove one of the calls or fields in the cycle.'),

  // The check of a whole org
  'integrity.file': restore,
  'integrity.schema': restore,
  'integrity.row_altered': restore,
  'integrity.row_unknown': restore,
  'integrity.row_missing': restore,
  'integrity.content': restore,
  'integrity.placement': restore,
  'integrity.audit_chain': restore,
  'integrity.generation': restore,
  'integrity.set_digest': restore,
  'integrity.reference': restore,
  'integrity.record_reference': warning(
    'Enter a different record in the field of each record that is named.',
  ),
  'integrity.search': restore,
  'integrity.token': restore,
  'integrity.result': restore,
  'integrity.request': restore,
  'integrity.signing_key': error('Restore signing.key from a backup.'),
  'integrity.private_files': warning('Remove other users’ permissions with chmod.'),
  'integrity.clock': warning('Set the computer’s clock to the correct time.'),
} as const satisfies Record<FindingCode, FindingHelp>
