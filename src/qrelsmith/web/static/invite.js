// The secret of an invite follows the # of its link, which browsers do not send. This script puts
// the secret into the form, and removes it from the address and the history.

const field = document.querySelector("input[name=token]");
const secret = location.hash.slice(1);

if (field && secret) {
  history.replaceState(null, "", location.pathname);
  field.value = secret;
  field.form.requestSubmit();
}
