#include "client.h"

#include <algorithm>
#include <utility>

#include "errors.h"

namespace euchre {
namespace {

using arena::v1::Item;
using arena::v1::PlayRequest;
using arena::v1::PlayResponse;
using std::chrono::milliseconds;

constexpr std::uint32_t kProtocolVersion = 1;

// Answers of one message go out together; but a player that thinks long over each decision would
// make the first ones wait for the last, so what is ready goes out after this time.
constexpr milliseconds kSlice{20};

// How long to wait for the arena's side of a Goodbye.
constexpr milliseconds kParting{2'000};

std::string chair_text(arena::v1::Chair chair) {
  if (chair == arena::v1::CHAIR_FIRST) return "first chair";
  return chair == arena::v1::CHAIR_SECOND ? "second chair" : "no chair";
}

std::string lane_text(arena::v1::Lane lane) {
  if (lane == arena::v1::LANE_A) return "lane A";
  return lane == arena::v1::LANE_B ? "lane B" : "both lanes";
}

std::size_t questions_in(const arena::v1::Items& items) {
  return static_cast<std::size_t>(
      std::count_if(items.items().begin(), items.items().end(),
                    [](const Item& item) { return item.has_decision(); }));
}

std::string without_full_stop(std::string sentence) {
  while (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

}  // namespace

Client::Client(Options options, Players players, Say say, Patience patience)
    : options_(std::move(options)),
      say_(std::move(say)),
      patience_(patience),
      session_(std::move(players), say_) {}

void Client::play() {
  const auto stub = arena::v1::RefereeService::NewStub(dial(options_));
  alive_at_ = Clock::now();
  while (!over_ && !leaving()) {
    const grpc::Status status = converse(*stub);
    if (over_ || leaving()) return;
    check_refusal(status);
    wait_after(status);
  }
}

void Client::leave() {
  const std::lock_guard lock(mutex_);
  leaving_ = true;
  left_.notify_all();
  if (inbox_ != nullptr) inbox_->interrupt();
  // Before the Welcome there is nothing to take leave of, and dialling may take long.
  if (context_ != nullptr && !welcomed_) context_->TryCancel();
}

// One stream from its start to its end; its status.
grpc::Status Client::converse(arena::v1::RefereeService::Stub& stub) {
  grpc::ClientContext context;
  Inbox inbox;
  attach(&context, &inbox);
  grpc::Status status;
  {
    Stream stream(stub, context, inbox);
    // An exception of the player's passes through here: the stream ends before it is reported.
    talk(stream, inbox);
    if (leaving() && welcomed_) {
      PlayRequest request;
      request.mutable_goodbye();
      stream.write(request);
    }
    status = stream.finish(kParting);
  }
  // Until now the arena was there, if it said nothing.
  if (welcomed_) alive_at_ = Clock::now();
  attach(nullptr, nullptr);
  return status;
}

void Client::talk(Stream& stream, Inbox& inbox) {
  stream.write(hello());
  while (!over_) {
    const auto message = inbox.take();
    if (!message) return;
    take(*message, stream, inbox);
  }
}

void Client::attach(grpc::ClientContext* context, Inbox* inbox) {
  const std::lock_guard lock(mutex_);
  context_ = context;
  inbox_ = inbox;
  if (inbox != nullptr) welcomed_ = false;
  if (inbox != nullptr && leaving_) inbox->interrupt();
}

bool Client::leaving() {
  const std::lock_guard lock(mutex_);
  return leaving_;
}

// Reading.

void Client::take(const Message& message, Stream& stream, Inbox& inbox) {
  const PlayResponse& response = message.response;
  switch (response.message_case()) {
    case PlayResponse::kItems:
      take_items(message, stream, inbox);
      break;
    case PlayResponse::kWelcome:
      take_welcome(response.welcome());
      break;
    case PlayResponse::kDraining:
      say_("the arena says: " +
           (response.draining().text().empty() ? "it will stop" : response.draining().text()));
      break;
    case PlayResponse::kGoodbye:
      over_ = true;
      break;
    default:
      // A later version's message is to be ignored.
      break;
  }
}

void Client::take_items(const Message& message, Stream& stream, Inbox& inbox) {
  const arena::v1::Items& items = message.response.items();
  alive_at_ = Clock::now();
  waits_ = 0;
  Clock::time_point started = alive_at_;
  std::size_t waiting = questions_in(items);
  for (const Item& item : items.items()) {
    // What is left over is asked again on the next stream, or does not matter any more.
    if (inbox.closed()) return;
    if (item.has_decision()) --waiting;
    session_.take(item, {message.arrived, waiting});
    if (session_.has_answers() && Clock::now() - started > kSlice) {
      send(stream);
      started = Clock::now();
    }
  }
  send(stream);
}

void Client::take_welcome(const arena::v1::Welcome& welcome) {
  {
    const std::lock_guard lock(mutex_);
    welcomed_ = true;
  }
  session_token_ = welcome.session_token();
  tell_welcome(welcome);
  if (welcome.resumed()) {
    session_.resume();
  } else {
    session_.begin();
  }
}

// Says that it has worked; not where the arena itself has started the bot.
void Client::tell_welcome(const arena::v1::Welcome& welcome) {
  if (options_.address.is_socket()) return;
  const std::string how = welcome.resumed() ? "back" : "dialled in";
  say_(how + " at " + options_.address.text() + ": " + chair_text(welcome.chair()) + ", " +
       lane_text(welcome.lane()));
}

// Writing.

void Client::send(Stream& stream) {
  while (const auto request = session_.request()) {
    // If it does not go out, the stream has ended, and the arena will ask again.
    if (!stream.write(*request)) return;
  }
}

PlayRequest Client::hello() const {
  PlayRequest request;
  if (!session_token_.empty()) request.set_acknowledged(session_.acknowledged());
  arena::v1::Hello& hello = *request.mutable_hello();
  hello.set_token(options_.token);
  hello.set_protocol_version(kProtocolVersion);
  hello.set_bot_name(options_.name);
  hello.set_bot_version(options_.version);
  hello.set_chair(options_.chair);
  hello.set_lane(options_.lane);
  hello.set_tables(static_cast<std::uint32_t>(options_.tables));
  hello.set_session_token(session_token_);
  return request;
}

// Coming back.

void Client::check_refusal(const grpc::Status& status) {
  at_once_ = false;
  if (status.error_code() == grpc::StatusCode::FAILED_PRECONDITION && !session_token_.empty()) {
    // The session is gone; perhaps the arena wants a new one.
    session_token_.clear();
    session_.begin();
    at_once_ = true;
  } else if (is_final(status)) {
    const std::string reason =
        status.error_message().empty() ? name_of(status.error_code()) : status.error_message();
    throw Refused("the arena at " + options_.address.text() +
                  " refused the bot: " + without_full_stop(reason));
  }
}

void Client::wait_after(const grpc::Status& status) {
  if (Clock::now() - alive_at_ >= patience_.total) {
    const std::string doubt = options_.address.tls
                                  ? "is it running there, and do ARENA_TLS_CA, _CERT and _KEY fit?"
                                  : "is it running there?";
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience_.total).count();
    throw Lost("lost the arena at " + options_.address.text() + ": " +
               name_of(status.error_code()) + " for " + std::to_string(seconds) + " seconds; " +
               doubt);
  }
  if (at_once_) return;
  const milliseconds wait = std::min(patience_.first * (1 << std::min(waits_, 16)), patience_.most);
  ++waits_;
  std::unique_lock lock(mutex_);
  left_.wait_for(lock, wait, [&] { return leaving_; });
}

}  // namespace euchre
