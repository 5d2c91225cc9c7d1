// The secret of an invite is behind the # of its link, which browsers send to nobody: from here it
// goes into the form, and out of the address and the history.

const field = document.querySelector("input[name=token]");
const secret = location.hash.slice(1);

if (field && secret) {
  history.replaceState(null, "", location.pathname);
  field.value = secret;
  field.form.requestSubmit();
}
